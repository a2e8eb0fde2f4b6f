import type { LedgerIndex } from '../../adapters/ledger/port.ts'
import {
  createResolver,
  toolsMeant,
  understand,
  type Cursors,
  type KnownNames,
  type Resolver,
  type Tool,
  type ViewName,
  type Want,
} from '../../catalog/index.ts'
import type { Config } from '../config/types.ts'
import { answerView, type LedgerAnswer } from './answer.ts'

/** What a question in plain words is answered with, besides the answer to what it was taken for. */
export interface PlainAnswer extends LedgerAnswer {
  /** The same question in the envelope's grammar, for the view. */
  readonly understood: { readonly view: ViewName } & Want
  /** Words that nothing was made of, in order. */
  readonly not_understood: readonly string[]
}

export interface Asking {
  readonly question: string
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly known: KnownNames
  readonly cursors: Cursors
}

/** Answers a question in plain words. It names what it understood, so that nobody has to believe it. */
export async function askLedger(
  index: Pick<LedgerIndex, 'view' | 'lag'>,
  { question, now, known, cursors }: Asking,
): Promise<PlainAnswer> {
  const { view, want, unknown } = understand(question, { now, known })
  const answer = await answerView(index, { view, want }, cursors)
  return { understood: { view, ...want }, not_understood: unknown, ...answer }
}

/** The tools and hosts that a configuration names; `resolver` is made of its catalog. */
export function knownNames(
  { catalog, upstreams, aliases }: Pick<Config, 'catalog' | 'upstreams' | 'aliases'>,
  resolver: Resolver<Tool> = createResolver(catalog, aliases),
): KnownNames {
  const hosts = [
    ...upstreams.flatMap(({ hosts }) => hosts.map(({ host }) => host)),
    ...catalog.map(({ host }) => host),
  ]
  return { tools: toolsMeant(resolver), hosts: [...new Set(hosts)] }
}
