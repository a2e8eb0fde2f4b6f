import {
  envelopeOfForm,
  type Envelope,
  type FieldProblem,
  type ParsedEnvelope,
} from '../../catalog/index.ts'
import { refusalOfProblems } from '../problems.ts'
import type { Refusal } from '../refusal.ts'
import { readHttpForm, type HttpForm } from './http-form.ts'

/** As many calls a batch may have. */
export const MOST_CALLS = 200

/** One call of a batch, as far as it can be read before others have answered. */
export interface BatchCall {
  /** Its place in the batch, from 0. */
  readonly at: number
  /** How answers and later calls name it. */
  readonly key: string
  /** Keys of the calls that have to have answered. */
  readonly needs: readonly string[]
  readonly does:
    | { readonly kind: 'tool'; readonly envelope: Envelope }
    | { readonly kind: 'http'; readonly form: HttpForm }
    /** What was written is no call. */
    | { readonly kind: 'broken'; readonly refused: Refusal }
}

type Members = Readonly<Record<string, unknown>>

/**
 * Reads the calls of a batch: a list, or `{calls}`. What is wrong with one is said of that one.
 * @throws Refusal where it is no batch
 */
export function readCalls(body: unknown): readonly BatchCall[] {
  const list = isMembers(body) ? body['calls'] : body
  if (!Array.isArray(list))
    throw problem('calls', 'no list', 'send a list of calls, or `{"calls": […]}`')
  if (isMembers(body)) refuseOthers(body)
  if (list.length === 0 || list.length > MOST_CALLS)
    throw problem('calls', `${list.length} calls`, `send 1 to ${MOST_CALLS} calls`)
  const calls = list.map(readCall)
  return calls.map((call) => checked(call, calls))
}

function refuseOthers(body: Members): void {
  const [stranger] = Object.keys(body).filter((name) => name !== 'calls')
  if (stranger === undefined) return
  throw refusalOfProblems([
    {
      code: 'unknown_field',
      path: stranger.slice(0, 80),
      got: 'an unknown field',
      repair: 'use calls',
    },
  ])
}

const KEY = /^[A-Za-z0-9_-]{1,64}$/

function readCall(form: unknown, at: number): BatchCall {
  if (!isMembers(form)) return broken(at, problem('', 'no object', 'write an object'))
  const { key = `${at}`, ...rest } = form
  if (typeof key !== 'string' || !KEY.test(key))
    return broken(at, problem('key', 'no key', 'write 1 to 64 letters, digits, `_` or `-`'))
  if ('url' in rest) {
    const read = readHttpForm(rest)
    if (!read.ok) return broken(at, refusalOfProblems(read.problems), key)
    return { at, key, needs: [], does: { kind: 'http', form: read.form } }
  }
  const read: ParsedEnvelope = envelopeOfForm(rest)
  if (!read.ok) return broken(at, refusalOfProblems(read.problems), key)
  const { envelope } = read
  const needs = [...new Set([...(envelope.with ?? []), ...sourcesIn(envelope.args)])]
  return { at, key, needs, does: { kind: 'tool', envelope } }
}

/** The calls that `{"$from": "key.path"}` takes values from, at any depth. */
function sourcesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(sourcesIn)
  if (!isMembers(value)) return []
  const from = fromOf(value)
  return from === undefined ? Object.values(value).flatMap(sourcesIn) : [from.key]
}

/** What a value is taken from; undefined for one that is written. */
export function fromOf(
  value: Members,
): { readonly key: string; readonly path: readonly string[] } | undefined {
  const { $from: text } = value
  if (typeof text !== 'string' || Object.keys(value).length !== 1) return undefined
  const [key = '', ...path] = text.split('.')
  return { key, path }
}

/** A key names one call, and what a call needs is there and does not need it in turn. */
function checked(call: BatchCall, all: readonly BatchCall[]): BatchCall {
  const { at, key, needs } = call
  if (all.some((other) => other.key === key && other.at < at))
    return broken(
      at,
      problem('key', `\`${key}\``, 'give each call a key of its own'),
      `${at}:${key}`,
    )
  const missing = needs.find((name) => !all.some((other) => other.key === name))
  if (missing !== undefined)
    return broken(
      at,
      problem('with', `\`${missing}\``, 'name a call of this batch by its key'),
      key,
    )
  if (isInCircle(call, all))
    return broken(
      at,
      problem('with', `a circle through \`${key}\``, 'let no call wait for itself'),
      key,
    )
  return call
}

function isInCircle({ key }: BatchCall, all: readonly BatchCall[]): boolean {
  const needsOf = new Map(all.map((call) => [call.key, call.needs]))
  const seen = new Set<string>()
  const waiting = [...(needsOf.get(key) ?? [])]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next === key) return true
    if (!seen.has(next)) waiting.push(...(needsOf.get(next) ?? []))
    seen.add(next)
  }
  return false
}

function broken(at: number, refused: Refusal, key = `${at}`): BatchCall {
  return { at, key, needs: [], does: { kind: 'broken', refused } }
}

function problem(path: string, got: string, repair: string): Refusal {
  const found: FieldProblem = { code: 'malformed_request', path, got, repair }
  return refusalOfProblems([found])
}

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
