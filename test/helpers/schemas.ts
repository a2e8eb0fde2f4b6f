import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Test } from 'tap'
import { statePaths } from '../../gateway/state/paths.ts'

/** What the feed gives of a receipt or event. */
export interface Item {
  readonly position: number
  readonly id: string
  readonly kind: 'receipt' | 'event'
  readonly record: Readonly<Record<string, unknown>>
}

interface Served {
  readonly state: string
  readonly gateway: { readonly addresses: { readonly owner: string } }
}

/** The feed of a gateway; `query` begins with `?` or is empty. */
export async function feedOf({ state, gateway }: Served, query = ''): Promise<readonly Item[]> {
  const key = readFileSync(statePaths(state).ownerKey, 'utf8').trim()
  const response = await fetch(`http://${gateway.addresses.owner}/api/ledger/feed${query}`, {
    headers: { 'x-narrowgate-key': key },
  })
  return (await response.text())
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Item)
}

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true })
const compiled = (path: string) =>
  ajv.compile(JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')))
const envelope = compiled('catalog/envelope.schema.json')
const SCHEMAS = {
  receipt: compiled('gateway/owner/schemas/receipt.schema.json'),
  event: compiled('gateway/owner/schemas/event.schema.json'),
}

/** What the published schemas have against a record. */
export function faultsOf({ kind, record }: Pick<Item, 'kind' | 'record'>): readonly string[] {
  const faults = SCHEMAS[kind](record) ? [] : (SCHEMAS[kind].errors ?? [])
  const call = record['envelope']
  const inside = call === undefined || envelope(call) ? [] : (envelope.errors ?? [])
  return [...faults, ...inside].map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

/** Every record that a gateway wrote is as the published schemas say. */
export async function assertSchemas(t: Test, gateway: Served): Promise<void> {
  const wrong = (await feedOf(gateway)).flatMap((item) => {
    const faults = faultsOf(item)
    return faults.length === 0 ? [] : [{ record: item.record, faults }]
  })
  t.same(wrong, [], 'every record fits its schema')
}
