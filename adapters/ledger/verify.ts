/**
 * Checks a log as a stranger would: from its files alone, with the rule of the chain written down once more.
 * It shares no code with the writer on purpose, so that one mistake cannot hide in both.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Head } from './port.ts'

/** A place where the files are not a whole chain. */
interface Fault {
  readonly file: string
  /** The record's own number where it has one, else the number that was due. */
  readonly record: number
  /** Of the line's first byte. */
  readonly offset: number
  readonly what: string
}

export interface Verification {
  readonly verdict: 'ok' | 'torn tail' | 'damaged'
  /** Whole lines, headers of segments included. */
  readonly records: number
  /** Hash of the last line; of the last writer where there are several. */
  readonly head: string | undefined
  /** The last line of each writer. */
  readonly heads: readonly Head[]
  /** Intents without an outcome. */
  readonly openIntents: readonly number[]
  /** In the order of the files; at most 100. */
  readonly faults: readonly Fault[]
}

const MAX_FAULTS = 100
const MAX_LINE_BYTES = 16 * 1024 * 1024
const HASH_CHARS = 64
const ZEROS = '0'.repeat(HASH_CHARS)

/**
 * Verifies segments in constant memory.
 *
 * @param source a log's folder (all its writers), a writer's folder, or the files of one writer in their order
 * @param known heads seen earlier, such as the header `ledger-head` of an answer: each must lie on the chain,
 *   which finds a log that was rewritten as a whole
 */
export async function verifySegments(
  source: string | readonly string[],
  known: readonly Head[] = [],
): Promise<Verification> {
  const check = new Check(known)
  for (const chain of typeof source === 'string' ? await chainsOf(source) : [source]) {
    check.beginWriter()
    for (const [index, file] of chain.entries()) {
      await check.segment(file, {
        last: index === chain.length - 1,
        whole: typeof source === 'string',
      })
    }
    check.endWriter(chain.at(-1) ?? '')
  }
  return check.result(typeof source === 'string' ? source : (source.at(-1) ?? ''))
}

/** The segments of each writer, in their order. */
async function chainsOf(folder: string): Promise<readonly (readonly string[])[]> {
  const items = await readdir(folder, { withFileTypes: true })
  const segments = items
    .filter((item) => item.name.endsWith('.ndlog'))
    .map((item) => join(folder, item.name))
  if (segments.length > 0) return [segments.sort()]
  const writers = items.filter((item) => item.isDirectory() && item.name.startsWith('w_'))
  const chains = await Promise.all(writers.map((item) => chainsOf(join(folder, item.name))))
  return chains.flat()
}

class Check {
  readonly #known: readonly Head[]
  readonly #missing: Set<Head>
  readonly #faults: Fault[] = []
  readonly #heads: Head[] = []
  readonly #openIntents: number[] = []
  #torn = false
  #records = 0
  #writer: string | undefined
  #n = 0
  #hash: string | undefined
  #open = new Set<number>()

  constructor(known: readonly Head[]) {
    this.#known = known
    this.#missing = new Set(known)
  }

  beginWriter(): void {
    this.#writer = undefined
    this.#n = 0
    this.#hash = undefined
    this.#open = new Set()
  }

  endWriter(file: string): void {
    if (this.#hash === undefined) return
    this.#heads.push({
      writer: this.#writer ?? basename(dirname(file)),
      n: this.#n,
      hash: this.#hash,
    })
    this.#openIntents.push(...this.#open)
  }

  /** `whole`: the chain is to begin with the writer's first record. */
  async segment(
    file: string,
    place: { readonly last: boolean; readonly whole: boolean },
  ): Promise<void> {
    let rest = Buffer.alloc(0)
    let offset = 0
    let first = true
    for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) {
      rest = Buffer.concat([rest, chunk as Buffer])
      let start = 0
      for (let end = rest.indexOf(0x0a); end !== -1; end = rest.indexOf(0x0a, start)) {
        this.#line(rest.subarray(start, end), {
          file,
          offset: offset + start,
          first,
          whole: place.whole,
        })
        first = false
        start = end + 1
      }
      offset += start
      rest = rest.subarray(start)
      if (rest.length > MAX_LINE_BYTES) break
    }
    if (rest.length > MAX_LINE_BYTES)
      this.#fault({ file, offset, record: this.#n + 1 }, 'the line has no end')
    else if (rest.length > 0 && place.last) this.#torn = true
    else if (rest.length > 0) {
      this.#fault(
        { file, offset, record: this.#n + 1 },
        'the last line is not whole, though a segment follows',
      )
    }
  }

  result(place: string): Verification {
    for (const head of this.#missing) {
      const end = this.#heads.find(({ writer }) => writer === head.writer)
      const what =
        end === undefined || end.n < head.n
          ? `the known head ${head.hash} lies behind the end of the log`
          : `the chain has another hash here than the known head ${head.hash}: it was rewritten`
      this.#fault({ file: place, offset: 0, record: head.n }, what)
    }
    return {
      verdict: this.#faults.length > 0 ? 'damaged' : this.#torn ? 'torn tail' : 'ok',
      records: this.#records,
      head: this.#heads.at(-1)?.hash,
      heads: this.#heads,
      openIntents: this.#openIntents,
      faults: this.#faults,
    }
  }

  #fault(at: Omit<Fault, 'what'>, what: string): void {
    if (this.#faults.length < MAX_FAULTS) this.#faults.push({ ...at, what })
  }

  #line(
    line: Buffer,
    at: {
      readonly file: string
      readonly offset: number
      readonly first: boolean
      readonly whole: boolean
    },
  ): void {
    this.#records += 1
    const claimed = line.toString('latin1', 0, HASH_CHARS)
    const json = line.subarray(HASH_CHARS + 1)
    const record = parse(json)
    const number = at.first ? 0 : typeof record?.n === 'number' ? record.n : this.#n + 1
    const fault = (what: string) =>
      this.#fault({ file: at.file, offset: at.offset, record: number }, what)
    if (!/^[0-9a-f]{64}$/.test(claimed) || line[HASH_CHARS] !== 0x20 || record === undefined) {
      fault('the line is not a hash, a space and a JSON object')
    } else if (at.first) this.#header(record, { json, claimed, whole: at.whole }, fault)
    else if (hashOf(this.#hash ?? ZEROS, json) !== claimed) fault('the hash does not fit')
    else if (number !== this.#n + 1) fault(`the number after ${this.#n} is missing`)
    // Going on from what the line says of itself finds each damaged place once, not everything behind it.
    if (/^[0-9a-f]{64}$/.test(claimed)) this.#hash = claimed
    if (!at.first) this.#n = number
    this.#follow(record)
  }

  #header(
    header: Record<string, unknown>,
    line: { readonly json: Buffer; readonly claimed: string; readonly whole: boolean },
    fault: (what: string) => void,
  ): void {
    const { kind, writer, n, first, prev } = header
    if (
      kind !== 'segment' ||
      n !== 0 ||
      typeof writer !== 'string' ||
      typeof first !== 'number' ||
      typeof prev !== 'string'
    ) {
      return fault('the first line is not the header of a segment')
    }
    const begins = this.#hash === undefined
    // A chain in whole starts from nothing; a lone file is believed about what stood before it.
    const due =
      begins && !line.whole ? { prev, first } : { prev: this.#hash ?? ZEROS, first: this.#n + 1 }
    if (prev !== due.prev || first !== due.first)
      fault('the segment does not continue the one before it')
    else if (!begins && writer !== this.#writer)
      fault(`the segment is of another writer, \`${writer}\``)
    else if (hashOf(prev, line.json) !== line.claimed) fault('the hash does not fit')
    this.#writer ??= writer
    this.#n = first - 1
  }

  #follow(record: Record<string, unknown> | undefined): void {
    if (record?.kind === 'intent') this.#open.add(this.#n)
    if (record?.kind === 'outcome' && typeof record.intent === 'number')
      this.#open.delete(record.intent)
    for (const head of this.#known) {
      if (head.writer === this.#writer && head.n === this.#n && head.hash === this.#hash)
        this.#missing.delete(head)
    }
  }
}

/** The rule of the chain: SHA-256 over the 32 bytes of the hash before and the record's bytes. */
function hashOf(previous: string, json: Buffer): string {
  return createHash('sha256').update(previous, 'hex').update(json).digest('hex')
}

function parse(json: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json.toString('utf8'))
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
