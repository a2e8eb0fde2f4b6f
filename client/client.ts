import { narrowToken } from '../policy/offline.ts'
import { answerOf } from './answer.ts'
import { answersOf, inOrder } from './batch.ts'
import type {
  Answer,
  Asked,
  BatchAnswer,
  BatchCall,
  Contract,
  Found,
  HeaderNames,
  Listed,
  Projection,
  Receipt,
} from './types.ts'
import { openWire, ownAnswer, type Place, type Wire } from './wire.ts'

export interface ClientOptions {
  /** Where the gateway's proxy port is reached, such as `http://127.0.0.1:3128`. */
  readonly url: string | URL
  readonly token: string
  /** In place of the runtime's own. */
  readonly fetch?: typeof fetch
  /** Where the gateway's configuration names its header fields otherwise. */
  readonly headers?: Partial<HeaderNames>
}

/** Holds one token at one gateway. Every method but `narrow` may reject with `Refused`. */
export interface Client {
  /** The token itself, for whoever is to hold it next. It is in no text that the client is shown as. */
  readonly token: string
  /** The tools that a question in plain words means, best first, of those that the token could call. */
  find(question: string, options?: { readonly limit?: number }): Promise<readonly Found[]>
  /** The names of all tools that the token could call. */
  tools(): Promise<readonly string[]>
  /** Their rows, cut down: `name,summary`, or a projection. */
  tools(options: { readonly want: string | Projection }): Promise<Listed>
  /** Everything about one tool. */
  contract(name: string): Promise<Contract>
  /** Calls a tool by its name. */
  call<Value = unknown>(tool: string, args?: Args, asked?: Asked): Promise<Answer<Value>>
  /** The same with the answer as it comes: for streams, and for bytes that are to be read piece by piece. */
  send(tool: string, args?: Args, asked?: Asked): Promise<Response>
  /** Makes up to 200 calls in one round trip; answers in the order of the calls. `onAnswer` gets each as it finishes. */
  batch(calls: readonly BatchCall[], options?: BatchOptions): Promise<readonly BatchAnswer[]>
  /** The same, each answer as it finishes. */
  answers(calls: readonly BatchCall[], options?: Signal): AsyncIterable<BatchAnswer>
  /** The record of a call that was made with this token, or with one that it was made from. */
  receipt(id: string): Promise<Receipt>
  /** The recorded answer of that call cut again; nothing is called. */
  receipt(id: string, options: { readonly want: string | Projection }): Promise<Answer>
  /**
   * A client with a narrower token, made here and now, without asking anybody.
   * @throws TokenFault for a line that is none, or may not follow
   */
  narrow(...caveats: readonly string[]): Client
}

type Args = Readonly<Record<string, unknown>>

interface Signal {
  readonly signal?: AbortSignal
}

interface BatchOptions extends Signal {
  readonly onAnswer?: (answer: BatchAnswer) => void
}

const NAMES: HeaderNames = {
  receipt: 'receipt',
  refused: 'refused',
  projected: 'projected',
  cursor: 'next-cursor',
}

/**
 * Makes a client. Nothing is asked yet.
 * @throws TypeError where the address or the token is none
 */
export function createClient({ url, token, headers, ...options }: ClientOptions): Client {
  const base = baseOf(url)
  // Fetch would tell the whole of it in its own error.
  if (!/^g1\.[\w-]+\.[\w-]+$/.test(token))
    throw new TypeError('token: got no g1 token, give one as it was minted, without spaces')
  const { fetch: ask = (...sent) => fetch(...sent) } = options
  return new TokenClient({ base, names: { ...NAMES, ...headers }, fetch: ask }, token)
}

function baseOf(url: string | URL): string {
  const read = URL.canParse(url) ? new URL(url) : undefined
  const { protocol = '', username, password, search, hash } = read ?? {}
  if (!/^https?:$/.test(protocol) || [username, password, search, hash].some(Boolean))
    throw new TypeError('url: got no plain address, give one such as `http://127.0.0.1:3128`')
  return `${read}`.replace(/\/$/, '')
}

/** Its token is private, so that no inspection of it and no JSON has it. */
class TokenClient implements Client {
  readonly #place: Place
  readonly #token: string
  readonly #wire: Wire

  constructor(place: Place, token: string) {
    this.#place = place
    this.#token = token
    this.#wire = openWire(place, token)
  }

  get token(): string {
    return this.#token
  }

  /** What Node.js shows of it, getters included. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return 'Client {}'
  }

  async find(question: string, { limit }: { readonly limit?: number } = {}) {
    const query = queryOf({ q: question, ...(limit !== undefined && { limit: `${limit}` }) })
    const found = await ownAnswer<{ rows: Found[] }>(await this.#wire.ask(`/g/find${query}`))
    return found.rows
  }

  tools(): Promise<readonly string[]>
  tools(options: { readonly want: string | Projection }): Promise<Listed>
  async tools(options?: {
    readonly want: string | Projection
  }): Promise<readonly string[] | Listed> {
    if (options === undefined) return ownAnswer(await this.#wire.ask('/g/tools?light=1'))
    const response = await this.#wire.ask(`/g/tools${queryOf({ want: textOf(options.want) })}`)
    return { value: await ownAnswer(response), next: response.headers.get(this.#wire.names.cursor) }
  }

  async contract(name: string) {
    return ownAnswer<Contract>(await this.#wire.ask(`/g/contracts/${encodeURIComponent(name)}`))
  }

  async call<Value>(tool: string, args: Args = {}, asked: Asked = {}) {
    return answerOf<Value>(await this.send(tool, args, asked), this.#wire.names, asked.page)
  }

  send(tool: string, args: Args = {}, { signal, ...asked }: Asked = {}) {
    return this.#wire.ask('/g/run', { body: { tool, args, ...asked }, signal })
  }

  batch(calls: readonly BatchCall[], { onAnswer, signal }: BatchOptions = {}) {
    return inOrder(answersOf(this.#wire, calls, signal), calls, onAnswer)
  }

  answers(calls: readonly BatchCall[], { signal }: Signal = {}) {
    return answersOf(this.#wire, calls, signal)
  }

  receipt(id: string): Promise<Receipt>
  receipt(id: string, options: { readonly want: string | Projection }): Promise<Answer>
  async receipt(
    id: string,
    options?: { readonly want: string | Projection },
  ): Promise<Receipt | Answer> {
    const path = `/ledger/exchanges/${encodeURIComponent(id)}.json`
    if (options === undefined) return ownAnswer<Receipt>(await this.#wire.ask(path))
    const { want } = options
    const response = await this.#wire.ask(path + queryOf({ want: textOf(want) }))
    return answerOf(response, this.#wire.names, typeof want === 'string' ? undefined : want.page)
  }

  narrow(...caveats: readonly string[]) {
    return new TokenClient(this.#place, narrowToken(this.#token, caveats))
  }
}

function textOf(want: string | Projection): string {
  return typeof want === 'string' ? want : JSON.stringify(want)
}

function queryOf(fields: Readonly<Record<string, string>>): string {
  return `?${new URLSearchParams(fields)}`
}
