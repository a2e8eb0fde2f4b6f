import { readFileSync } from 'node:fs'
import { statePaths } from '../../gateway/state/paths.ts'
import { portOf } from './gateway.ts'

/** Where the owner doors are, and where their key lies. */
interface Owned {
  readonly state: string
  readonly gateway: { readonly addresses: { readonly owner: string } }
  /** Fields of the request besides. */
  readonly fields?: Readonly<Record<string, string>>
}

export interface OwnerAnswer {
  readonly status: number
  readonly type: string
  readonly body: Readonly<Record<string, unknown>>
}

/** Asks an owner door of a whole gateway, with its key; what is given as a body is sent as JSON. */
export async function askOwner(
  { gateway, state, fields }: Owned,
  method: string,
  path: string,
  body?: object,
): Promise<OwnerAnswer> {
  const key = readFileSync(statePaths(state).ownerKey, 'utf8').trim()
  const json = body === undefined ? {} : { 'content-type': 'application/json' }
  const response = await fetch(`http://127.0.0.1:${portOf(gateway.addresses.owner)}${path}`, {
    method,
    headers: { 'x-narrowgate-key': key, ...json, ...fields },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const text = await response.text()
  const type = response.headers.get('content-type') ?? ''
  return {
    status: response.status,
    type,
    // Of lines of JSON the whole is none.
    body: /[/+]json/.test(type) ? JSON.parse(text) : { text },
  }
}

/** Sends lines of a recorder's log, as pieces of a stream. */
export async function sendLines(
  { gateway, state }: Owned,
  lines: readonly string[],
): Promise<OwnerAnswer> {
  const key = readFileSync(statePaths(state).ownerKey, 'utf8').trim()
  const response = await fetch(`http://${gateway.addresses.owner}/api/ledger/ingest`, {
    method: 'POST',
    headers: { 'x-narrowgate-key': key, 'content-type': 'application/x-ndjson' },
    body: lines.map((line) => `${line}\n`).join(''),
  })
  const body = (await response.json()) as Readonly<Record<string, unknown>>
  return { status: response.status, type: response.headers.get('content-type') ?? '', body }
}

/** Mints at the owner's door, where the grant gets an id that is known to it. */
export async function mintGrant(
  gateway: Owned,
  ...lines: readonly string[]
): Promise<{ readonly id: string; readonly token: string }> {
  const { body } = await askOwner(gateway, 'POST', '/api/grants', { lines })
  return { id: String(body['id']), token: String(body['token']) }
}
