import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { Knock, Reply } from '../../knock.ts'
import { drainBody, lendBody } from '../body.ts'
import type { Connection } from '../connections.ts'
import type { Addressed, Doors } from '../door.ts'
import type { Head } from '../framing.ts'
import { writeInformation } from '../information.ts'
import { createPresence } from '../presence.ts'
import type { Presence } from '../presence.ts'
import { frame } from '../reply-framing.ts'
import { discard } from '../reply.ts'
import { readPlainRequest } from './plain-request.ts'
import type { PlainRequest } from './plain-request.ts'
import { RequestStream } from './request-body.ts'
import { writeFastReply } from './write-reply.ts'

/** What a connection of the fast engine leans on. */
export interface FastParts {
  readonly doors: Doors
  /** Where a request goes; `general` where another engine has to serve it. */
  readonly address: (head: Head, socket: Socket) => Addressed | 'general'
  /** Takes the connection over, from the next byte on. */
  readonly general: (socket: Socket) => void
}

const END_OF_HEAD = '\r\n\r\n'
const NOTHING: Buffer = Buffer.alloc(0)
const NO_FIELDS: readonly string[] = []

/**
 * One client connection in the fast engine: plain requests, one after the other. The first head that is not whole in
 * one read, or not plain, goes to the general engine with all that follows it, so that there is one place for what
 * is rare, slow or wrong.
 */
export class FastConnection {
  readonly #socket: Socket
  readonly #parts: FastParts
  readonly #connection: Connection
  /** Bytes that came behind the request that is being served. */
  #rest = NOTHING
  #turn: Turn | undefined
  #served = false
  /** The client has not taken the last answer: it gets no other before. */
  #full = false
  /** The last answer was written: what else the client sends is not read. */
  #closing = false

  constructor(socket: Socket, parts: FastParts) {
    this.#socket = socket
    this.#parts = parts
    this.#connection = parts.doors.connections.open(socket)
    socket
      .on('data', this.#onData)
      .on('end', this.#onEnd)
      .on('close', this.#onClose)
      .on('error', this.#onError)
      .on('timeout', this.#onTimeout)
    socket.setTimeout(parts.doors.limits.idleMs)
  }

  /** Whether a request was served on it: one that never sent a byte is watched more closely. */
  get served(): boolean {
    return this.#served
  }

  /** Gives the connection to the general engine, with the bytes that nobody has read. */
  handOver(): void {
    const socket = this.#socket
    const rest = this.#rest
    this.#rest = NOTHING
    this.#served = true
    socket
      .off('data', this.#onData)
      .off('end', this.#onEnd)
      .off('close', this.#onClose)
      .off('error', this.#onError)
      .off('timeout', this.#onTimeout)
    socket.setTimeout(0)
    if (rest.length > 0) socket.unshift(rest)
    this.#parts.general(socket)
    socket.resume()
  }

  readonly #onData = (bytes: Buffer): void => {
    if (this.#closing) return
    const body = this.#turn?.body
    const taken = body === undefined || body.whole ? 0 : body.give(bytes)
    if (taken === bytes.length) return
    const left = taken === 0 ? bytes : bytes.subarray(taken)
    this.#rest = this.#rest.length === 0 ? left : Buffer.concat([this.#rest, left])
    if (this.#turn === undefined && !this.#full) this.#next()
    // What a client sends ahead is not served before it is its turn. It is read on, within bounds, since the end of
    // the connection comes behind it.
    else if (this.#rest.length > this.#parts.doors.limits.maxHeaderBytes) this.#socket.pause()
  }

  #next(): void {
    const bytes = this.#rest
    const end = bytes.indexOf(END_OF_HEAD)
    const { limits } = this.#parts.doors
    if (end < 0 || end > limits.maxHeaderBytes) return this.handOver()
    const plain = readPlainRequest(bytes.toString('latin1', 0, end))
    if (plain === undefined) return this.handOver()
    const { target, headers } = plain
    const addressed = this.#parts.address({ httpVersion: '1.1', target, headers }, this.#socket)
    if (addressed === 'general' || addressed.fault) return this.handOver()
    this.#rest = bytes.length === end + 4 ? NOTHING : bytes.subarray(end + 4)
    this.#serve(plain, addressed)
  }

  #serve(plain: PlainRequest, addressed: Addressed): void {
    const { connections } = this.#parts.doors
    this.#served = true
    const body = plain.length === 0 ? undefined : new RequestStream(plain.length, this.#socket)
    const client = createPresence()
    const turn: Turn = {
      plain,
      body,
      client,
      end: connections.begin(this.#connection, () => client.left()),
      reply: undefined,
    }
    this.#turn = turn
    const lent = body === undefined ? null : lendBody(body, this.#parts.doors.limits)
    if (body !== undefined && this.#rest.length > 0) {
      const taken = body.give(this.#rest)
      this.#rest = this.#rest.subarray(taken)
    }
    this.#parts.doors
      .exchange(
        knockOf(turn, { addressed, connection: this.#connection, socket: this.#socket, lent }),
      )
      .then((reply) => {
        lent?.untimed()
        return this.#answer(turn, reply)
      })
      .catch((error: unknown) => {
        this.#parts.doors.log.warn({ error }, 'a door failed')
        this.#socket.destroy()
      })
  }

  #answer(turn: Turn, reply: Reply): void | Promise<void> {
    if (reply.socket || this.#socket.destroyed) return discard(reply)
    turn.reply = reply
    const { limits, connections } = this.#parts.doors
    const framing = frame(reply, turn.plain.method)
    const close = turn.plain.close || reply.close === true || connections.closing
    const keepAliveSeconds = Math.floor(limits.idleMs / 1000)
    const target = { socket: this.#socket, method: turn.plain.method, close, keepAliveSeconds }
    try {
      const written = writeFastReply(target, reply, framing)
      if (written === undefined) return this.#finish(turn, close)
      return written.then(
        () => this.#finish(turn, close),
        (error: unknown) => this.#cut(turn, reply, error),
      )
    } catch (error) {
      this.#cut(turn, reply, error)
    }
  }

  #finish(turn: Turn, close: boolean): void | Promise<void> {
    if (turn.body !== undefined && !turn.body.whole) return this.#drain(turn, close)
    this.#turn = undefined
    turn.reply = undefined
    this.#closing = close
    turn.end()
    if (close) this.#socket.destroySoon()
    if (close || this.#socket.destroyed) return
    if (this.#socket.writableNeedDrain) this.#wait()
    else this.#goOn()
  }

  /** A client that asks on and does not read would fill the memory with its answers. */
  #wait(): void {
    this.#full = true
    this.#socket.pause()
    this.#socket.once('drain', () => {
      this.#full = false
      this.#goOn()
    })
  }

  #goOn(): void {
    if (this.#rest.length > 0) this.#next()
    if (this.#socket.isPaused() && this.#turn === undefined && !this.#full) this.#socket.resume()
  }

  /** The client is still sending what nobody wants: to close now would lose the answer. */
  async #drain(turn: Turn, close: boolean): Promise<void> {
    const { body } = turn
    if (body !== undefined && !(await drainBody(body, this.#parts.doors.limits))) {
      turn.end()
      return void this.#socket.destroy()
    }
    await this.#finish({ ...turn, body: undefined }, close)
  }

  /** Without a length or chunks the end of the connection is the end of the body; here every body has one of them. */
  #cut(turn: Turn, reply: Reply, error: unknown): void {
    const there = !this.#socket.destroyed
    if (there) turn.client.cut()
    discard(reply, there ? error : undefined)
    this.#socket.destroy()
    turn.end()
  }

  /** As with the general engine, a client that ends its side is taken to have gone. */
  readonly #onEnd = (): void => {
    this.#socket.end()
  }

  readonly #onClose = (): void => {
    const turn = this.#turn
    if (turn === undefined) return
    turn.client.left()
    turn.body?.destroy()
    if (turn.reply !== undefined) discard(turn.reply)
    turn.end()
  }

  readonly #onError = (): void => {
    // Before anything else breaks: what breaks then does so because the client has gone.
    this.#turn?.client.left()
    this.#socket.destroy()
  }

  /** Silence counts against the client where it is its turn: between requests, within its body, or not reading. */
  readonly #onTimeout = (): void => {
    const socket = this.#socket
    const turn = this.#turn
    const sending =
      turn?.body !== undefined && !turn.body.whole && turn.body.readableFlowing === true
    if (turn === undefined || sending || socket.writableLength > 0) {
      turn?.client.left()
      socket.destroy()
    } else socket.setTimeout(this.#parts.doors.limits.idleMs)
  }
}

/** One request and its answer. */
interface Turn {
  readonly plain: PlainRequest
  readonly body: RequestStream | undefined
  readonly client: Presence
  readonly end: () => void
  reply: Reply | undefined
}

interface Around {
  readonly addressed: Addressed
  readonly connection: Connection
  readonly socket: Socket
  readonly lent: Readable | null
}

function knockOf({ plain, client }: Turn, { addressed, connection, socket, lent }: Around): Knock {
  // Written out, since this is made for every request and a spread costs more than all its fields.
  const { door, shape, origin, path, credential, inPath, mount, fault } = addressed
  return {
    door,
    shape,
    origin,
    path,
    credential,
    inPath,
    mount,
    fault,
    peer: connection.peer,
    httpVersion: '1.1',
    method: plain.method,
    headers: plain.headers,
    body: lent,
    trailers: noFields,
    upgrade: false,
    signal: client.signal,
    cancel: () => client.cancel(),
    proceed: nothing,
    inform: (status, headers) => writeInformation(socket, status, headers),
  }
}

function noFields(): readonly string[] {
  return NO_FIELDS
}

function nothing(): void {}
