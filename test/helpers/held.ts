import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

/** A connection for TLS to be put on, whose writes can be gathered until they all leave as one. */
export interface Held {
  readonly wire: Duplex
  /** From now on nothing leaves. */
  hold(): void
  /** Sends what was held as one piece, and resets the connection in the same breath. */
  sendAndReset(): void
}

/** Makes one of a connection. */
export function heldOn(raw: Socket): Held {
  let held: Buffer[] | undefined
  const wire = new Duplex({
    read: () => raw.resume(),
    write(chunk: Buffer, _encoding, done) {
      if (held === undefined) return void raw.write(chunk, done)
      held.push(chunk)
      done()
    },
    destroy(error, done) {
      raw.destroy()
      done(error)
    },
  })
  raw
    .on('data', (chunk: Buffer) => wire.push(chunk) || raw.pause())
    .on('error', () => {})
    .on('close', () => wire.destroy())
  return {
    wire,
    hold() {
      held = []
    },
    sendAndReset() {
      raw.write(Buffer.concat(held ?? []))
      raw.resetAndDestroy()
    },
  }
}
