import { isDeepStrictEqual } from 'node:util'
import type { Item } from './record.ts'

type Fields = Readonly<Record<string, unknown>>

/** Members that the ledger adds to a receipt, or that place a record in its log. */
const OWN = new Set(['seq', 'kind', 'n', 'intent', 'erased'])

/** A receipt that a client holds, and what the log has of it. */
export class HeldReceipt {
  readonly id: string
  readonly #held: Fields
  #first: { readonly writer: string; readonly n: number; readonly fields: Fields } | undefined
  #outcome: Fields | undefined

  constructor(held: Fields) {
    this.id = String(held['id'])
    this.#held = held
  }

  /** Shows it a record of the log. */
  see(writer: string, n: number, { fields }: Item): void {
    const { kind, id, intent } = fields
    const begins = kind === 'intent' || kind === 'refusal'
    if (this.#first === undefined && begins && id === this.id) this.#first = { writer, n, fields }
    else if (kind === 'outcome' && this.#first?.writer === writer && this.#first.n === intent)
      this.#outcome ??= fields
  }

  /** What is wrong, and at which record; undefined where the log says the same. */
  differs(): { readonly record: number; readonly what: string } | undefined {
    if (this.#first === undefined)
      return { record: 0, what: `the log has no record of the receipt ${this.id}` }
    const logged = this.#joined(this.#first.fields)
    const other = Object.entries(this.#held).find(
      ([name, value]) => !this.#isOpen(name) && !isDeepStrictEqual(logged[name], value),
    )
    if (other === undefined) return undefined
    const what = `the log says something else than the receipt ${this.id} of \`${other[0]}\``
    return { record: this.#first.n, what }
  }

  /** Held while the exchange was open, a receipt says nothing of its end. */
  #isOpen(name: string): boolean {
    return OWN.has(name) || (name === 'outcome' && this.#held['outcome'] === 'open')
  }

  /** The outcome's members go before the intent's; where both have an object its members are joined. */
  #joined(first: Fields): Fields {
    const joined: Record<string, unknown> = { ...first }
    for (const [name, value] of Object.entries(this.#outcome ?? {})) {
      const former = joined[name]
      joined[name] = isMapping(former) && isMapping(value) ? { ...former, ...value } : value
    }
    return joined
  }
}

function isMapping(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
