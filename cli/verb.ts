import type { InferredOptionType, InferredOptionTypes, Options, PositionalOptions } from 'yargs'
import type { Terminal } from './terminal.ts'

export type OptionTable = Readonly<Record<string, Options>>
export type PositionalTable = Readonly<Record<string, PositionalOptions>>

type Positionals<P extends PositionalTable> = { [name in keyof P]: InferredOptionType<P[name]> }

/** The options and positionals of one call, and what stood after `--`. */
export type Values<O extends OptionTable, P extends PositionalTable> = Readonly<
  InferredOptionTypes<O> & Positionals<P>
> & { readonly '--'?: readonly string[] }

/** What one verb takes and does. `run` gives the exit code, or throws a Fault. */
export interface Verb {
  readonly positionals: PositionalTable
  readonly options: OptionTable
  readonly examples: readonly (readonly [command: string, says: string])[]
  run(values: unknown, terminal: Terminal): Promise<number>
}

interface VerbParts<O extends OptionTable, P extends PositionalTable> {
  readonly positionals?: P
  readonly options: O
  readonly examples: readonly (readonly [command: string, says: string])[]
  readonly run: (values: Values<O, P>, terminal: Terminal) => Promise<number>
}

/**
 * A verb whose `run` sees the types that its own tables say. The one cast is sound because yargs
 * has parsed the values by these very tables.
 */
export function defineVerb<const O extends OptionTable, const P extends PositionalTable>(
  parts: VerbParts<O, P>,
): Verb {
  return {
    positionals: parts.positionals ?? {},
    options: parts.options,
    examples: parts.examples,
    run: (values, terminal) => parts.run(values as Values<O, P>, terminal),
  }
}

/** The line of the table of verbs: enough for `--help`, while the verb itself is loaded when it is named. */
export interface VerbEntry {
  /** The name and its positionals as yargs writes them: `narrow <token> [caveats..]`. */
  readonly usage: string
  /** Other names that it goes by. */
  readonly aliases?: readonly string[]
  readonly summary: string
  readonly load: () => Promise<Verb>
}

/** Verbs under one noun. */
export interface VerbGroup {
  readonly usage: string
  readonly summary: string
  readonly verbs: readonly VerbEntry[]
}
