import { readFileSync } from 'node:fs'
import type { Test } from 'tap'
import Database from 'better-sqlite3'
import type { ErrorCode } from '../../../gateway/errors.ts'
import { databaseFiles, statePaths } from '../../../gateway/state/paths.ts'
import { portOf } from '../../helpers/gateway.ts'
import type { TestGateway } from '../../helpers/gateway.ts'
import { mintGrant } from '../../helpers/owner.ts'
import { formOf, wantedForm } from '../../helpers/refusal-form.ts'
import type { Answered } from '../../helpers/refusal-form.ts'
import { wire } from '../suite.ts'
import type { Proof } from './scene.ts'

// The gateway's own doors, for its owner and for whoever watches over it. What they refuse is no call: it has no receipt.

interface Asked {
  readonly code: ErrorCode
  readonly method?: string
  readonly path: string
  /** In place of the owner's own; null for none. */
  readonly key?: string | null
  readonly body?: object
  readonly waits?: boolean
}

const MINTED = { id: 'g_1', lines: ['tools = *'] }
const WRONG = { path: '/api/grants', key: 'another key' }

const OWNER: readonly Asked[] = [
  { code: 'owner_key_missing', path: '/api/grants', key: null },
  { code: 'owner_key_wrong', ...WRONG },
  { code: 'not_found', path: '/nowhere' },
  { code: 'not_found', path: '/api/grants/g_none' },
  { code: 'method_not_allowed', method: 'DELETE', path: '/api/grants' },
  { code: 'malformed_request', method: 'POST', path: '/api/grants', body: { lines: [] } },
  { code: 'unknown_field', method: 'POST', path: '/api/grants', body: { ...MINTED, line: 1 } },
  {
    code: 'not_supported',
    method: 'PUT',
    path: '/api/persons/alice/keys/k',
    body: { value: 'a-key-of-hers-0123' },
  },
  { code: 'read_only', method: 'PUT', path: '/api/store/shown/x', body: {} },
  { code: 'store_unavailable', path: '/api/store/far/x' },
]

const HOLDER: readonly Asked[] = [
  { code: 'not_found', path: '/g/nothing' },
  { code: 'method_not_allowed', method: 'POST', path: '/healthz' },
]

const FAILED: Asked = { code: 'internal_error', path: '/api/grants' }
const LIMITED: Asked = { code: 'rate_limited', ...WRONG, waits: true }
const secret = { env: 'FLOW_KEY' }
/** Behind the second one nobody listens. */
const buckets = [
  { name: 'shown', read_only: true },
  {
    name: 'far',
    driver: 's3',
    endpoint: 'http://127.0.0.1:1',
    bucket: 'far',
    access_key_id: secret,
    secret_access_key: secret,
  },
]

/** Wrong keys in a minute, from one address. */
const MOST_WRONG = 10

async function ask(gateway: TestGateway, port: number, asked: Asked): Promise<Answered> {
  const { method = 'GET', path, body } = asked
  const { key = readFileSync(statePaths(gateway.state).ownerKey, 'utf8').trim() } = asked
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      ...(key === null ? {} : { 'x-narrowgate-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const header = (name: string) => response.headers.get(name) ?? undefined
  return { status: response.status, header, text: await response.text() }
}

async function refuseAll(t: Test, gateway: TestGateway): Promise<void> {
  const refuse = async (asked: Asked, port = portOf(gateway.gateway.addresses.owner)) => {
    const { code, method = 'GET', path, waits = false } = asked
    const got = await ask(gateway, port, asked)
    t.same(formOf(got), wantedForm({ code, waits, receipt: false }), `${code}: ${method} ${path}`)
  }
  const { id, token } = await mintGrant(gateway, ...MINTED.lines)
  const post = { method: 'POST', path: '/api/grants' }
  await refuse({ code: 'id_taken', ...post, body: { ...MINTED, id } })
  const link = { path: `/api/grants/${id}/send`, body: { token, to: 'alice' } }
  await refuse({ code: 'send_failed', ...post, ...link })
  for (const asked of OWNER) await refuse(asked)
  for (const asked of HOLDER) await refuse(asked, gateway.proxyPort)

  const db = new Database(databaseFiles(statePaths(gateway.state)).grants)
  db.exec('DROP TABLE grants')
  db.close()
  await refuse(FAILED)
  for (let at = 1; at < MOST_WRONG; at++)
    await ask(gateway, portOf(gateway.gateway.addresses.owner), LIMITED)
  await refuse(LIMITED)
}

const doors: Proof = {
  provokes: [
    ['id_taken', 'owner'],
    ['send_failed', 'owner'],
    ...[...OWNER, FAILED, LIMITED].map(({ code }) => [code, 'owner'] as const),
    ...HOLDER.map(({ code }) => [code, 'holder'] as const),
  ],
  prove: () =>
    wire('the gateway’s own doors', (t, { gateway }) => refuseAll(t, gateway), {
      config: { owner: { send: { command: ['false'], base: 'http://gate.test' } }, buckets },
    }),
}

export const OWN_DOORS = [doors]
