import { envelopeOfForm } from '../../catalog/index.ts'
import { isMembers, type BatchCall } from '../batch/calls.ts'
import { refusalOfProblems } from '../problems.ts'

/** What a request is answered by its id with; a notification has none, and no answer. */
export type RpcId = string | number | null | undefined

/** One request object (JSON-RPC 2.0, section 4), as the call that it is. */
export interface RpcRequest {
  readonly id: RpcId
  /** `invalid` where it is no request object at all. */
  readonly does: BatchCall['does'] | 'invalid'
}

const MEMBERS: readonly string[] = ['jsonrpc', 'id', 'method', 'params', 'control']

/** Reads one request object: the method is the tool, its params by name are the arguments; `control` is the envelope's. */
export function readRequest(form: unknown): RpcRequest {
  if (!isMembers(form)) return { id: null, does: 'invalid' }
  const id = idOf(form)
  const { jsonrpc, method, params = {}, control } = form
  const isStrange = Object.keys(form).some((name) => !MEMBERS.includes(name))
  if (id === false || jsonrpc !== '2.0' || typeof method !== 'string' || isStrange)
    return { id: id === false || id === undefined ? null : id, does: 'invalid' }
  // A tool's arguments have names: a list of them has no meaning.
  const read = envelopeOfForm({
    tool: method,
    args: params,
    ...(control !== undefined && { control }),
  })
  return {
    id,
    does: read.ok
      ? { kind: 'tool', envelope: read.envelope }
      : { kind: 'broken', refused: refusalOfProblems(read.problems) },
  }
}

function idOf(form: Readonly<Record<string, unknown>>): RpcId | false {
  if (!('id' in form)) return undefined
  const { id } = form
  const isId = id === null || typeof id === 'string' || typeof id === 'number'
  return isId ? (id as RpcId) : false
}
