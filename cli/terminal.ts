import { once } from 'node:events'
import type { Writable } from 'node:stream'

/** One of the two outputs, with colours that are empty where they would be noise. */
export interface Screen {
  readonly colours: boolean
  write(text: string): void
  line(text?: string): void
  /** Writes a piece of something long; resolves when there is room for the next one. */
  pour(piece: string | Uint8Array): Promise<void>
  readonly bold: (text: string) => string
  readonly faint: (text: string) => string
  readonly good: (text: string) => string
  readonly bad: (text: string) => string
  readonly warn: (text: string) => string
}

/** What a verb knows of the world around it. */
export interface Terminal {
  /** For answers: what a pipe should get. */
  readonly out: Screen
  /** For everything said about the answer. */
  readonly err: Screen
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly stdin: NodeJS.ReadableStream
}

const ESCAPE = '\u001B['

/** Colours stand on a terminal only, and never where NO_COLOR (no-color.org) has any text. */
function wantsColours(stream: Writable & { isTTY?: boolean }, env: Terminal['env']): boolean {
  return stream.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb'
}

export function createScreen(stream: Writable & { isTTY?: boolean }, env: Terminal['env']): Screen {
  const colours = wantsColours(stream, env)
  const paint =
    (code: number) =>
    (text: string): string =>
      colours ? `${ESCAPE}${code}m${text}${ESCAPE}0m` : text
  const write = (text: string): void => {
    stream.write(text)
  }
  return {
    colours,
    write,
    line: (text = '') => write(`${text}\n`),
    async pour(piece) {
      if (!stream.write(piece)) await once(stream, 'drain')
    },
    bold: paint(1),
    faint: paint(2),
    good: paint(32),
    bad: paint(31),
    warn: paint(33),
  }
}

export function createTerminal(process: NodeJS.Process): Terminal {
  return {
    out: createScreen(process.stdout, process.env),
    err: createScreen(process.stderr, process.env),
    env: process.env,
    cwd: process.cwd(),
    stdin: process.stdin,
  }
}
