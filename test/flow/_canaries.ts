import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { parquetReadObjects } from 'hyparquet'
import type { Bucket } from '../../adapters/objects/bucket.ts'
import { statePaths } from '../../gateway/state/paths.ts'
import { portOf, type TestGateway } from '../helpers/gateway.ts'
import { askOwner } from '../helpers/owner.ts'
import type { Cluster } from '../helpers/postgres.ts'

/** Something that the gateway has kept, carried away or shown. */
export interface Seen {
  readonly name: string
  readonly text: string
}

/** Every file of a state folder, but for those that are secrets themselves, by the folder that it is in. */
export function filesIn(state: string, but: readonly string[]): readonly Seen[] {
  return readdirSync(state, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(state, path)).isFile() && !but.includes(join(state, path)))
    .map((path) => ({
      name: `state, ${path.split('/')[0]}`,
      text: readFileSync(join(state, path), 'latin1'),
    }))
}

/** What exports have written to a folder, unpacked. */
export async function exportedIn(folder: string): Promise<readonly Seen[]> {
  return Promise.all(
    readdirSync(folder).map(async (file) => {
      const bytes = readFileSync(join(folder, file))
      const name = `files, ${file.split('-')[0]}`
      if (!file.endsWith('.parquet')) return { name, text: unpacked(bytes) }
      const rows = await parquetReadObjects({
        file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
      })
      return { name, text: rows.flatMap((row) => Object.values(row)).join('\n') }
    }),
  )
}

const GZIP = 0x1f

function unpacked(bytes: Buffer): string {
  return (bytes[0] === GZIP ? gunzipSync(bytes) : bytes).toString('latin1')
}

/** Every row of every table of the gateway's schema. */
export async function tablesIn(cluster: Cluster, url: string): Promise<readonly Seen[]> {
  const tables = await cluster.run(
    url,
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'narrowgate'`,
  )
  const all = tables.map(async ({ name }) => {
    const rows = await cluster.run(
      url,
      `SELECT each::text AS text FROM narrowgate.${String(name)} each`,
    )
    return { name: 'PostgreSQL', text: rows.map(({ text }) => text).join('\n') }
  })
  return Promise.all(all)
}

export async function objectsIn(name: string, bucket: Bucket): Promise<Seen> {
  const { objects } = await bucket.list()
  const texts = objects.map(async ({ key }) => {
    const object = await bucket.get(key)
    if (object === null || !('body' in object)) throw new Error(`${key}: it has gone`)
    return `${key}\n${unpacked(await buffer(object.body))}`
  })
  return { name, text: (await Promise.all(texts)).join('\n') }
}

const DOORS = [
  '/api/receipts?limit=1000',
  '/api/ledger/exchanges?limit=1000',
  '/api/ledger/refusals?limit=1000',
  '/api/ledger/feed',
]

/** What the owner's doors answer, receipt by receipt too. */
export async function doorsOf(gateway: TestGateway): Promise<readonly Seen[]> {
  const ids = (await gateway.receipts()).map(({ id }) => `/ledger/exchanges/${id}.json`)
  const seen: Seen[] = []
  for (const path of [...DOORS, ...ids.slice(0, 40)]) {
    const { body } = await askOwner(gateway, 'GET', path)
    const name = ids.includes(path) ? 'a receipt' : path
    seen.push({
      name,
      text: typeof body['text'] === 'string' ? body['text'] : JSON.stringify(body),
    })
  }
  const state = await Promise.all(
    ['/api/status', '/api/grants', '/api/persons', '/metrics'].map(
      async (path) => (await askOwner(gateway, 'GET', path)).body,
    ),
  )
  seen.push({ name: 'a receipt', text: JSON.stringify(state) })
  return seen
}

/** The console's pages, for an owner who is signed in. */
export async function pagesOf(gateway: TestGateway): Promise<readonly Seen[]> {
  const origin = `http://127.0.0.1:${portOf(gateway.gateway.addresses.owner)}`
  const key = readFileSync(statePaths(gateway.state).ownerKey, 'utf8').trim()
  const signedIn = await fetch(`${origin}/console/login`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ key, next: '' }),
  })
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const ids = (await gateway.receipts()).map(({ id }) => `ledger/${id}`)
  const pages = ['', 'ledger', 'grants', 'mint', 'health', 'config', ...ids.slice(-40)]
  const texts: string[] = []
  for (const page of pages) {
    const answer = await fetch(`${origin}/console/${page}`, {
      headers: { cookie },
      redirect: 'manual',
    })
    texts.push(await answer.text())
  }
  return [{ name: 'the console', text: texts.join('\n') }]
}
