import type { WebSocket } from 'ws'
import { writtenJson, type Envelope } from '../../catalog/index.ts'
import { answerOf, type BatchAnswer } from '../batch/answer.ts'
import type { BatchCall } from '../batch/calls.ts'
import { makeCall } from '../batch/make.ts'
import { answerCollection } from '../collections/answer.ts'
import { createPresence, type Presence } from '../doors/presence.ts'
import type { DoorAround } from '../holder-door.ts'
import type { Knock } from '../knock.ts'
import { INVALID_REQUEST, outcomeOf, responseOf } from '../rpc/responses.ts'
import { readFrame, type Frame } from './frames.ts'

/** As many calls of one connection are under way at once. */
const AT_ONCE = 16

/** RFC 6455, 7.4.1. */
const UNSUPPORTED_DATA = 1003

/** The calls that come over one WebSocket. */
export interface SocketCalls {
  /** The connection has ended, and with it what is under way. */
  end(): void
}

/**
 * Makes a call of every text frame, and sends its answer as it finishes. While as many are under way as may be, nothing more is read;
 * a call is under way until its answer has gone out, so that who does not read is not read either.
 */
export function createSocketCalls(
  socket: WebSocket,
  asked: Knock,
  around: DoorAround,
): SocketCalls {
  const waiting: string[] = []
  const running = new Set<Presence>()
  const keys = new Set<string>()
  let count = 0
  let hasEnded = false

  /** Each with a presence of its own, as each is forgotten by itself. */
  const make = async (does: BatchCall['does'], key: string): Promise<BatchAnswer> => {
    const presence = createPresence()
    running.add(presence)
    try {
      const own = { ...asked, signal: presence.signal, upgrade: false }
      const asking = {
        asked: own,
        batch: undefined,
        exchange: around.exchange,
        ports: around,
        collection: (knock: Knock, envelope: Envelope) => answerCollection(knock, envelope, around),
      }
      return await answerOf(key, await makeCall(does, asking), around.headers)
    } finally {
      running.delete(presence)
    }
  }
  const send = (value: object) =>
    new Promise<void>((resolve) => socket.send(writtenJson(value), () => resolve()))
  const answer = async (frame: Frame): Promise<void> => {
    if (frame.kind === 'call') return send(await make(frame.does, frame.key))
    const { id, does } = frame.request
    if (does === 'invalid') return send(responseOf(id ?? null, { error: INVALID_REQUEST }))
    const outcome = outcomeOf(await make(does, ''))
    if (id !== undefined) await send(responseOf(id, outcome))
  }

  let underway = 0
  const begin = async (text: string): Promise<void> => {
    const frame = readFrame(text, count, (key) => keys.has(key))
    count += 1
    underway += 1
    const key = frame.kind === 'call' ? frame.key : undefined
    if (key !== undefined) keys.add(key)
    await answer(frame)
    if (key !== undefined) keys.delete(key)
    underway -= 1
    goOn()
  }
  const goOn = () => {
    while (!hasEnded && underway < AT_ONCE) {
      const text = waiting.shift()
      if (text === undefined) return socket.resume()
      void begin(text)
    }
    socket.pause()
  }
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) return socket.close(UNSUPPORTED_DATA, 'send text')
    if (socket.readyState !== socket.OPEN) return
    waiting.push(data.toString())
    goOn()
  })
  // What breaks the protocol closes the connection, which is heard of there.
  socket.on('error', () => {})
  return {
    end() {
      hasEnded = true
      for (const presence of running) presence.cancel()
    },
  }
}
