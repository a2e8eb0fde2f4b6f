import type { Members } from '../check.ts'

/** One call of a model: what `inputs`, `n` and `calls` make several of. */
export interface ModelCall {
  /** As the table of models knows it; undefined for the configured one. */
  readonly model?: string
  readonly system?: string
  /** A text, or `{"$from": …}`. */
  readonly input: unknown
  readonly temperature?: unknown
  readonly max_tokens?: unknown
  /** Whether the answer's text has to be JSON, whose value is the output. */
  readonly json?: boolean
  /** Milliseconds. */
  readonly timeout_ms?: number
  readonly label?: string
  /** Texts, numbers, booleans or `{"$from": …}` by name; undefined where nothing is put in. */
  readonly vars?: Members
  readonly with?: readonly string[]
}
