import {
  envelopeOfForm,
  isModelForm,
  modelCallsOf,
  type ReadModelCall,
} from '../../catalog/index.ts'
import { placeOf, type ModelPorts } from '../models/place.ts'
import { refusalOfProblems } from '../problems.ts'
import { Refusal } from '../refusal.ts'
import { isMembers, MOST_CALLS, problemOfCall, type PlannedCall, type DraftCall } from './calls.ts'
import { readHttpForm } from './http-form.ts'
import { linked, sourcesIn } from './needs.ts'

type Members = Readonly<Record<string, unknown>>

/**
 * Reads the calls of a batch: a list, or `{calls}`. What is wrong with one is said of that one.
 * @throws Refusal where it is no batch
 */
export function readCalls(body: unknown, ports: ModelPorts): readonly PlannedCall[] {
  const list = isMembers(body) ? body['calls'] : body
  if (!Array.isArray(list))
    throw problemOfCall('calls', 'no list', 'send a list of calls, or `{"calls": […]}`')
  if (isMembers(body)) refuseOthers(body)
  checkCount(list.length)
  const drafts: DraftCall[] = []
  for (const form of list) {
    drafts.push(...readForm(form, drafts.length, ports))
    checkCount(drafts.length)
  }
  return linked(drafts)
}

function checkCount(count: number): void {
  if (count > 0 && count <= MOST_CALLS) return
  const got = count > MOST_CALLS ? `more than ${MOST_CALLS} calls` : 'no call'
  throw problemOfCall('calls', got, `send 1 to ${MOST_CALLS} calls, what fan-out makes included`)
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

/** The calls that a form makes: one, but of models what it fans out to. */
function readForm(form: unknown, at: number, ports: ModelPorts): readonly DraftCall[] {
  if (!isMembers(form)) return [broken(at, problemOfCall('', 'no object', 'write an object'))]
  const { key = `${at}`, ...rest } = form
  if (typeof key !== 'string' || !KEY.test(key)) {
    const repair = 'write 1 to 64 letters, digits, `_` or `-`'
    return [broken(at, problemOfCall('key', 'no key', repair))]
  }
  if ('url' in rest) return [readHttp(rest, at, key)]
  const isTool = ['target', 'tool', 'name'].some((name) => name in rest)
  if (isTool || !isModelForm(rest)) return [readTool(rest, at, key)]
  return modelCallsOf(rest).map((read, index) => readModel(read, { at: at + index, key, ports }))
}

function readHttp(form: Members, at: number, key: string): DraftCall {
  const read = readHttpForm(form)
  if (!read.ok) return broken(at, refusalOfProblems(read.problems), key)
  return { at, key, waits: [], takes: [], does: { kind: 'http', form: read.form } }
}

function readTool(form: Members, at: number, key: string): DraftCall {
  const read = envelopeOfForm(form)
  if (!read.ok) return broken(at, refusalOfProblems(read.problems), key)
  const { envelope } = read
  const { with: waits = [], args } = envelope
  return { at, key, waits, takes: sourcesIn(args), does: { kind: 'tool', envelope } }
}

interface ModelDraft {
  readonly at: number
  readonly key: string
  readonly ports: ModelPorts
}

function readModel(read: ReadModelCall, { at, key: first, ports }: ModelDraft): DraftCall {
  const key = `${first}${read.suffix}`
  if (!read.ok) return broken(at, refusalOfProblems(read.problems), key)
  const { call } = read
  const { label, with: waits = [], input, vars } = call
  const named = { at, key, ...(label !== undefined && { label }) }
  try {
    const place = placeOf(call.model, ports)
    const takes = sourcesIn([input, vars])
    return { ...named, waits, takes, does: { kind: 'model', call, place } }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { ...broken(at, error, key), ...named }
  }
}

function broken(at: number, refused: Refusal, key = `${at}`): DraftCall {
  return { at, key, waits: [], takes: [], does: { kind: 'broken', refused } }
}
