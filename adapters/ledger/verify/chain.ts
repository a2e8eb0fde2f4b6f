import type { Fault, Report } from './fault.ts'
import type { Line } from './lines.ts'
import { hashAfter, type Item } from './record.ts'

const ZEROS = '0'.repeat(64)

/** What may stand before the next record: the hash that a line claims, and the one that its record has. */
interface Link {
  readonly claimed: string
  readonly computed: string
}

/** Records that are not where they are due. */
interface Gap {
  readonly from: number
  readonly to: number
  found: number
  readonly fault: Fault
}

/** A record of a segment; its number is what it says of itself. */
export interface Numbered {
  readonly item: Item
  readonly n: number
}

/**
 * Follows one writer's chain through its segments and names what was done to it. It goes on from what each line says of
 * itself, so that one deed is one fault, and not everything behind it.
 */
export class Chain {
  readonly #report: Report
  /** As the first header names it. */
  #writer: string | undefined
  #due = 1
  /** Before the record that is due; undefined where that is not known. */
  #tip: Link | undefined = { claimed: ZEROS, computed: ZEROS }
  /** Before the tip. */
  #former: Link | undefined
  /** What was found wrong about the tip. */
  #tipFault: Fault | undefined
  /** A record under a wrong number: what it is shows in the next one. */
  #odd: Numbered | undefined
  /** Records that came too early, by their numbers. */
  readonly #early = new Map<number, { readonly item: Item; readonly fault: Fault }>()
  readonly #gaps: Gap[] = []
  /** Of the last record that came twice: the next one may continue it. */
  #twin: string | undefined

  /** @param whole whether the first segment must be the writer's first; else it is believed what stood before it */
  constructor(options: { readonly whole: boolean; readonly report: Report }) {
    this.#report = options.report
    if (!options.whole) this.#tip = undefined
  }

  /** Number of the last record in order. */
  last(): number {
    return this.#due - 1
  }

  header(item: Item): void {
    this.#settle(undefined)
    this.#takeEarly()
    const { kind, writer, n, first, prev } = item.fields
    const fault = (kind: Fault['kind'], what: string) => this.#add(item, { kind, record: 0, what })
    if (kind !== 'segment' || n !== 0 || typeof first !== 'number' || typeof prev !== 'string') {
      fault('malformed', 'the first line is not the header of a segment')
      this.#tip = undefined
      return
    }
    const computed = hashAfter(prev, item)
    if (computed !== item.claimed) fault('edited', 'the hash of the header does not fit')
    if (this.#writer !== undefined && writer !== this.#writer)
      fault('inserted', `the segment is of another writer, \`${String(writer)}\``)
    this.#writer ??= String(writer)
    if (this.#tip === undefined && this.#due === 1) this.#due = first
    if (first > this.#due) this.#gap(item, first)
    else if (first === this.#due && !continues(prev, this.#tip))
      fault('rewritten', 'the segment continues another chain than the one before it')
    if (first < this.#due) return
    this.#tip = { claimed: item.claimed, computed }
    this.#former = this.#tipFault = undefined
  }

  record(record: Numbered): void {
    this.#settle(record)
    while (record.n !== this.#due && this.#takeOneEarly());
    if (record.n === this.#due) this.#accept(record)
    else this.#odd = record
  }

  /** A line that is none counts as the record that was due, or as the header that was. */
  unreadable({ file, offset }: Line, record: 'header' | 'record', what: string): void {
    this.#settle(undefined)
    const isHeader = record === 'header'
    this.#report({ kind: 'malformed', file, offset, record: isHeader ? 0 : this.#due, what })
    if (!isHeader) this.#due += 1
    this.#tip = this.#former = undefined
  }

  end(): void {
    this.#settle(undefined)
    this.#takeEarly()
    for (const [n, { fault }] of this.#early) Object.assign(fault, { kind: 'inserted', record: n })
  }

  #accept({ item, n }: Numbered): void {
    const early = this.#early.get(n)
    if (early !== undefined) {
      Object.assign(early.fault, { kind: 'inserted', record: n })
      this.#early.delete(n)
    }
    const computed = this.#tip && hashAfter(this.#tip.claimed, item)
    const before = [this.#tip?.computed, this.#twin]
    const fits =
      computed === undefined ||
      computed === item.claimed ||
      before.some((hash) => hash !== undefined && hashAfter(hash, item) === item.claimed)
    const fault = fits
      ? undefined
      : this.#add(item, { kind: 'edited', record: n, what: 'the hash does not fit' })
    this.#step(item, fault, computed)
  }

  #step({ claimed }: Item, fault: Fault | undefined, computed = claimed): void {
    this.#former = this.#tip
    this.#tip = { claimed, computed }
    this.#tipFault = fault
    this.#twin = undefined
    this.#due += 1
  }

  /** Says what the odd record is, now that the next one is there. */
  #settle(next: Numbered | undefined): void {
    const odd = this.#odd
    if (odd === undefined) return
    this.#odd = undefined
    const { item } = odd
    if (next?.n === this.#due + 1 && hashAfter(item.claimed, next.item) === next.item.claimed) {
      const what = `the record has the number \`${odd.n}\``
      this.#step(item, this.#add(item, { kind: 'edited', record: this.#due, what }))
    } else if (odd.n < this.#due) this.#stray(odd)
    else if (next?.n === this.#due) this.#tooEarly(odd)
    else {
      this.#gap(item, odd.n)
      this.#step(item, undefined)
    }
  }

  #tooEarly({ item, n }: Numbered): void {
    const what = `record ${n} stands where record ${this.#due} is due`
    const fault = this.#add(item, { kind: 'reordered', record: this.#due, what })
    this.#early.set(n, { item, fault })
  }

  /** A record behind its place: it was missed there, or it is there already. */
  #stray({ item, n }: Numbered): void {
    const gap = this.#gaps.find(({ from, to }) => n >= from && n <= to)
    if (gap !== undefined) {
      gap.found += 1
      if (gap.found === gap.to - gap.from + 1)
        Object.assign(gap.fault, { kind: 'reordered', record: gap.from })
      return
    }
    const isTip = n === this.#due - 1
    if (isTip && this.#tipFault?.kind === 'edited' && follows(item, this.#former)) {
      this.#tipFault.kind = 'inserted'
      this.#tip = { claimed: item.claimed, computed: item.claimed }
      this.#tipFault = undefined
      return
    }
    this.#add(item, { kind: 'inserted', record: n, what: `record ${n} is there already` })
    if (isTip) this.#twin = item.claimed
  }

  /** The records from the one that is due up to `next` are not here. */
  #gap(item: Item, next: number): void {
    const [from, to] = [this.#due, next - 1]
    const what = `the records ${from} to ${to} are not here`
    const fault = this.#add(item, { kind: 'dropped', record: next, what })
    this.#gaps.push({ from, to, found: 0, fault })
    this.#due = next
    this.#tip = undefined
  }

  #takeEarly(): void {
    while (this.#takeOneEarly());
  }

  #takeOneEarly(): boolean {
    const early = this.#early.get(this.#due)
    if (early === undefined) return false
    this.#early.delete(this.#due)
    this.#step(early.item, undefined)
    return true
  }

  #add({ line: { file, offset } }: Item, fault: Pick<Fault, 'kind' | 'record' | 'what'>): Fault {
    const whole = { ...fault, file, offset }
    this.#report(whole)
    return whole
  }
}

function follows(item: Item, link: Link | undefined): boolean {
  return (
    link !== undefined &&
    (hashAfter(link.claimed, item) === item.claimed ||
      hashAfter(link.computed, item) === item.claimed)
  )
}

function continues(prev: string, link: Link | undefined): boolean {
  return link === undefined || prev === link.claimed || prev === link.computed
}
