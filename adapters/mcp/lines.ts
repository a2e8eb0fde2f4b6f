import type { Readable } from 'node:stream'

const LONGEST_LINE = 2_000
/** So many lines are told of each minute. */
const MOST_LINES = 100
const MINUTE_MS = 60_000

/** Tells each line of a stream, cut where it is long, and of a flood no more than the first lines of each minute. */
export function createLines(source: Readable, tell: (line: string) => void): void {
  const tellSome = throttled(tell)
  let line = ''
  source.setEncoding('utf8')
  source.on('data', (chunk: string) => {
    const [first = '', ...others] = chunk.split('\n')
    line = (line + first).slice(0, LONGEST_LINE)
    for (const next of others) {
      tellSome(line)
      line = next.slice(0, LONGEST_LINE)
    }
  })
  source.once('close', () => tellSome(line))
}

function throttled(tell: (line: string) => void): (line: string) => void {
  let told = 0
  let since = Date.now()
  return (line) => {
    if (line.trim() === '') return
    const now = Date.now()
    if (now - since >= MINUTE_MS) {
      told = 0
      since = now
    }
    told++
    if (told <= MOST_LINES) tell(line.trimEnd())
    else if (told === MOST_LINES + 1) tell('more lines within this minute are left out')
  }
}
