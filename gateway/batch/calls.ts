import type { Envelope, FieldProblem, ModelCall } from '../../catalog/index.ts'
import type { ModelPlace } from '../models/place.ts'
import { refusalOfProblems } from '../problems.ts'
import type { Refusal } from '../refusal.ts'
import type { HttpForm } from './http-form.ts'

/** As many calls a batch may have. */
export const MOST_CALLS = 200

/** What can be made at once. */
export type Doing =
  | { readonly kind: 'tool'; readonly envelope: Envelope }
  | {
      readonly kind: 'http'
      readonly form: HttpForm
      /** Milliseconds that it may take; undefined where its caller did not say. */
      readonly within?: number | undefined
    }
  /** What was written is no call. */
  | { readonly kind: 'broken'; readonly refused: Refusal }

/** One call of a batch, as far as it can be read before others have answered. */
export interface BatchCall {
  /** Its place in the batch, from 0. */
  readonly at: number
  /** How answers and later calls name it. */
  readonly key: string
  /** Keys of the calls that have to have answered. */
  readonly needs: readonly string[]
  /** What its caller calls it besides. */
  readonly label?: string | undefined
  readonly does: Doing
}

/** A call of a model, which is an HTTP request once others have answered. */
export interface ModelDoing {
  readonly kind: 'model'
  readonly call: ModelCall
  readonly place: ModelPlace
}

/** The same, of a model or not. */
export interface PlannedCall extends Omit<BatchCall, 'does'> {
  readonly does: Doing | ModelDoing
}

/** The same before the calls know each other. */
export interface DraftCall extends Omit<PlannedCall, 'needs'> {
  /** Keys that it waits for. */
  readonly waits: readonly string[]
  /** What its values are taken from: a key, and a path behind it. */
  readonly takes: readonly string[]
}

type Members = Readonly<Record<string, unknown>>

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What is wrong with one call, or with the batch. */
export function problemOfCall(path: string, got: string, repair: string): Refusal {
  const found: FieldProblem = { code: 'malformed_request', path, got, repair }
  return refusalOfProblems([found])
}
