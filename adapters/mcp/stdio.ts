import { spawn, type ChildProcessByStdio } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import {
  ReadBuffer,
  SdkError,
  SdkErrorCode,
  serializeMessage,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client'
import { Said } from './fault.ts'
import { createLines } from './lines.ts'
import type { McpPlace } from './port.ts'

/** How long a program may take to end by itself before it is ended. */
const GRACE_MS = 2_000
const MOST_MESSAGE_BYTES = 33_554_432

type Program = Extract<McpPlace, { kind: 'command' }>
type Child = ChildProcessByStdio<Writable, Readable, Readable>

/**
 * A program that is spoken to over its standard input and output. The library's own transport gives a program variables that
 * nobody gave it; this one gives it what stands in the configuration.
 */
export class ProgramTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #place: Program
  readonly #said: (line: string) => void
  readonly #buffer = new ReadBuffer({ maxBufferSize: MOST_MESSAGE_BYTES })
  #child: Child | undefined
  #ended: Promise<void> = Promise.resolve()

  constructor(place: Program, said: (line: string) => void) {
    this.#place = place
    this.#said = said
  }

  /** By these two names the library tells a program from an address. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  get stderr(): Readable | undefined {
    return this.#child?.stderr
  }

  start(): Promise<void> {
    const child = start(this.#place)
    this.#child = child
    child.stdin.on('error', (error) => this.onerror?.(error))
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk))
    createLines(child.stderr, this.#said)
    this.#ended = new Promise((resolve) => {
      child.once('close', () => {
        resolve()
        this.onclose?.()
      })
    })
    return new Promise((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', (error: NodeJS.ErrnoException) =>
        reject(new Said(`the program could not be started: \`${error.code ?? 'unknown'}\``)),
      )
    })
  }

  send(message: JSONRPCMessage): Promise<void> {
    const input = this.#child?.stdin
    if (input?.writable !== true)
      return Promise.reject(new SdkError(SdkErrorCode.NotConnected, 'the program has ended'))
    return new Promise((resolve, reject) => {
      input.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()))
    })
  }

  async close(): Promise<void> {
    const child = this.#child
    if (child === undefined || child.pid === undefined) return
    child.stdin.end()
    end(child, 'SIGTERM')
    const late = setTimeout(() => {
      end(child, 'SIGKILL')
      // What it started may hold these open.
      child.stdout.destroy()
      child.stderr.destroy()
    }, GRACE_MS)
    await this.#ended
    clearTimeout(late)
  }

  #read(chunk: Buffer): void {
    try {
      this.#buffer.append(chunk)
    } catch (error) {
      this.onerror?.(error as Error)
      void this.close()
      return
    }
    for (;;) {
      try {
        const message = this.#buffer.readMessage()
        if (message === null) return
        this.onmessage?.(message)
      } catch (error) {
        // A line that is no message: the next one may be.
        this.onerror?.(error as Error)
      }
    }
  }
}

function start({ command: [program = '', ...args], folder, env }: Program): Child {
  const given = Object.entries(env).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : value.reveal(),
  ])
  return spawn(program, args, {
    cwd: folder,
    env: Object.fromEntries(given),
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own, so that what it starts ends with it.
    detached: true,
    windowsHide: true,
  })
}

function end({ pid }: Child, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // It has ended.
  }
}
