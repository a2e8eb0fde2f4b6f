import { StringDecoder } from 'node:string_decoder'
import { refusal } from '../refusal.ts'

/** As much as one event may have, in characters. */
const LONGEST_EVENT = 4 * 2 ** 20

/** The data of each event of a stream, as it comes (HTML, 9.2.6). What stands behind the last whole event is none. */
export async function* eventsIn(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let data: string[] = []
  let length = 0
  for await (const chunk of chunks) {
    // A CR at the end may be the half of a CRLF.
    const lines = (rest + decoder.write(chunk)).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop()!
    for (const line of lines) {
      if (line === '' && data.length > 0) {
        yield data.join('\n')
        data = []
        length = 0
      }
      const text = dataIn(line)
      if (text === undefined) continue
      data.push(text)
      length += text.length
    }
    if (length + rest.length > LONGEST_EVENT) throw tooLong()
  }
}

function dataIn(line: string): string | undefined {
  const [, field, text = ''] = /^\uFEFF?(data)(?:: ?(.*))?$/s.exec(line) ?? []
  return field === undefined ? undefined : text
}

function tooLong() {
  return refusal('too_large', 'answer', {
    got: `an event of more than ${LONGEST_EVENT} characters`,
    repair: 'call it by itself, through `/g/run`',
  })
}

/** One event as it is written. */
export function eventText(name: string, data: string, id?: string): Buffer {
  const lines = data.split(/\r\n|\n|\r/).map((line) => `data: ${line}\n`)
  const named = id === undefined ? '' : `id: ${id}\n`
  return Buffer.from(`event: ${name}\n${named}${lines.join('')}\n`)
}

const BEAT = Buffer.from(':\n\n')

/** The same, with a comment wherever nothing has come for so many milliseconds: on the way to the client idle connections are closed. */
export async function* withHeartbeat(
  source: AsyncIterable<Buffer>,
  everyMs: number,
): AsyncGenerator<Buffer> {
  const iterator = source[Symbol.asyncIterator]()
  try {
    for (let next = iterator.next(); ;) {
      const got = await within(next, everyMs)
      if (got === undefined) yield BEAT
      else if (got.done === true) return
      else {
        yield got.value
        next = iterator.next()
      }
    }
  } finally {
    // Not waited for: what is under way ends with its client.
    void iterator.return?.()
  }
}

/** What comes of a promise within so many milliseconds; else undefined. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
