import { closeSync, existsSync, openSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { chainHash, ZERO_HASH } from '../segment/chain.ts'
import type { ChainEnd } from '../segment/encoder.ts'
import { syncFolder } from '../segment/file.ts'
import { isForeign, makeForeign } from '../segment/foreign.ts'
import { segmentNumbers, segmentPath } from '../segment/layout.ts'
import { readLines } from '../segment/lines.ts'
import { isDamage, recoverWriter } from '../segment/recovery.ts'
import type { Head } from '../port.ts'
import { IngestFaultError } from './fault.ts'
import { readLine, type HeaderLine, type RecordLine } from './record.ts'

const FLUSH_BYTES = 1024 * 1024

interface Segment {
  readonly number: number
  readonly first: number
  readonly hash: string
}

/** A recorder's log as it is kept here. Calls must not overlap. */
export interface ForeignChain {
  readonly writer: string
  /** The last durable record; its hash is the last line's. */
  head(): Head
  /**
   * Goes on with a segment: one that is kept already, or a new one at the end.
   * @throws IngestFaultError
   */
  enter(header: HeaderLine): Promise<void>
  /**
   * Compares a record with the one that is kept under its number, or appends it.
   * @throws IngestFaultError
   */
  take(record: RecordLine): Promise<'known' | 'added'>
  /** Makes durable what was appended. */
  flush(): Promise<void>
}

/** Opens the log of a writer, which may be new. Throws an IngestFaultError where the name is not a recorder's. */
export function openForeignChain(folder: string, writer: string): ForeignChain {
  const known = existsSync(join(folder, writer))
  if (known && !isForeign(folder, writer))
    throw new IngestFaultError('taken', `the writer \`${writer}\`, which is this gateway’s own`)
  return new Chain(folder, writer, known ? stored(folder, writer) : NOTHING)
}

interface Stored {
  readonly segments: Segment[]
  end: ChainEnd
  size: number
}

const NOTHING: Stored = { segments: [], end: { n: 0, hash: ZERO_HASH }, size: 0 }

function stored(folder: string, writer: string): Stored {
  const recovered = recoverWriter(folder, writer)
  if (isDamage(recovered))
    throw new Error(`ledger ${folder}: the log of \`${writer}\` is damaged here: ${recovered.what}`)
  const segments = segmentNumbers(join(folder, writer)).map((number) => {
    for (const { bytes } of linesIn(segmentPath(folder, writer, number))) {
      const header = readLine(bytes)
      if (header.kind === 'segment') return { number, first: header.first, hash: header.hash }
    }
    throw new Error(`ledger ${folder}: segment ${number} of \`${writer}\` has no header`)
  })
  return { segments, end: recovered.end, size: recovered.segment?.size ?? 0 }
}

function* linesIn(path: string): Generator<{ readonly bytes: Buffer }, void> {
  const fd = openSync(path, 'r')
  try {
    yield* readLines(fd, 0)
  } finally {
    closeSync(fd)
  }
}

class Chain implements ForeignChain {
  readonly writer: string
  readonly #folder: string
  readonly #segments: Segment[]
  /** With what waits to be written. */
  #end: ChainEnd
  #durable: ChainEnd
  /** Bytes of the last segment that are durable. */
  #size: number
  #waiting: Buffer[] = []
  #waitingBytes = 0
  /** The kept lines behind the last one that was compared; undefined at the end of the log. */
  #kept: Generator<{ readonly bytes: Buffer }, void> | undefined
  /** Number of the last record of this request; undefined right behind a header. */
  #last: number | undefined

  constructor(folder: string, writer: string, { segments, end, size }: Stored) {
    this.#folder = folder
    this.writer = writer
    this.#segments = [...segments]
    this.#end = this.#durable = end
    this.#size = size
  }

  head(): Head {
    return { writer: this.writer, ...this.#durable }
  }

  async enter(header: HeaderLine): Promise<void> {
    if (header.writer !== this.writer)
      throw this.#fault('fork', `the header of another writer, \`${header.writer}\``, 0)
    const { first, hash } = header
    this.#kept?.return()
    this.#kept = undefined
    this.#last = undefined
    const known = this.#segments.find((segment) => segment.first === first)
    if (known !== undefined) {
      if (known.hash !== hash)
        throw this.#fault('fork', `another header than the one that is kept of ${first}`, 0)
      this.#kept = linesIn(this.#path(known.number))
      this.#kept.next()
      return
    }
    if (first > this.#end.n + 1)
      throw this.#fault('gap', `a segment that begins with the record ${first}`, 0)
    if (first !== this.#end.n + 1 || header.prev !== this.#end.hash)
      throw this.#fault('fork', `a segment that begins elsewhere, with the record ${first}`, 0)
    await this.#begin(header)
  }

  async take(record: RecordLine): Promise<'known' | 'added'> {
    const { n } = record
    if (this.#last !== undefined && n !== this.#last + 1)
      throw this.#fault('gap', `the record ${n} behind ${this.#last}`, n)
    if (n > this.#end.n + 1) throw this.#fault('gap', `the record ${n}`, n)
    this.#last = n
    if (n <= this.#end.n) {
      this.#compare(record)
      return 'known'
    }
    if (chainHash(this.#end.hash, record.json) !== record.hash)
      throw this.#fault('mismatch', `the record ${n}, whose hash does not fit`, n)
    this.#end = { n, hash: record.hash }
    this.#waiting.push(record.bytes, LINE_FEED)
    this.#waitingBytes += record.bytes.length + 1
    if (this.#waitingBytes >= FLUSH_BYTES) await this.flush()
    return 'added'
  }

  async flush(): Promise<void> {
    if (this.#waitingBytes === 0) return
    const bytes = Buffer.concat(this.#waiting)
    const last = this.#segments.at(-1)
    if (last === undefined) throw new Error('a record was taken before its header')
    const handle = await open(this.#path(last.number), 'r+')
    try {
      // What a write that failed has left behind would stand behind a shorter one.
      await handle.truncate(this.#size)
      for (let done = 0; done < bytes.length;) {
        const { bytesWritten } = await handle.write(
          bytes,
          done,
          bytes.length - done,
          this.#size + done,
        )
        if (bytesWritten === 0) throw new Error(`ledger ${this.#folder}: the disk takes no more`)
        done += bytesWritten
      }
      await handle.datasync()
    } finally {
      await handle.close()
    }
    this.#size += bytes.length
    this.#durable = this.#end
    this.#waiting = []
    this.#waitingBytes = 0
  }

  /** Moves on in the kept lines to the record's number; whoever resumes leaves out those before. */
  #compare({ n, bytes }: RecordLine): void {
    for (;;) {
      const next = this.#kept?.next()
      if (next === undefined || next.done === true)
        throw this.#fault('fork', `the record ${n}, which stands in another segment here`, n)
      const kept = readLine(next.value.bytes)
      if (kept.kind === 'segment' || kept.n < n) continue
      if (kept.n === n && kept.bytes.equals(bytes)) return
      throw this.#fault('fork', `another record ${n} than the one that is kept`, n)
    }
  }

  async #begin(header: HeaderLine): Promise<void> {
    await this.flush()
    const number = (this.#segments.at(-1)?.number ?? 0) + 1
    if (this.#segments.length === 0 && !existsSync(join(this.#folder, this.writer)))
      makeForeign(this.#folder, this.writer)
    const path = this.#path(number)
    await rm(path, { force: true })
    const handle = await open(path, 'wx', 0o600)
    const bytes = Buffer.concat([header.bytes, LINE_FEED])
    try {
      await handle.writeFile(bytes)
      await handle.datasync()
    } finally {
      await handle.close()
    }
    await syncFolder(dirname(path))
    await syncFolder(this.#folder)
    this.#segments.push({ number, first: header.first, hash: header.hash })
    this.#size = bytes.length
    this.#end = this.#durable = { n: header.first - 1, hash: header.hash }
  }

  #path(number: number): string {
    return segmentPath(this.#folder, this.writer, number)
  }

  #fault(code: 'gap' | 'fork' | 'mismatch', what: string, record: number): IngestFaultError {
    return new IngestFaultError(code, what, { record, head: this.head() })
  }
}

const LINE_FEED = Buffer.from('\n')
