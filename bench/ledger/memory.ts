import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WARM_UP_SECONDS } from '../config.ts'
import { start, stop, type Running } from '../processes.ts'
import type { Backlog } from './figures.ts'
import type { Part, Row } from '../rows.ts'
import type { Server } from './server.ts'

const GATEWAY_CORE = 1
const SETTLE_MS = WARM_UP_SECONDS * 200
const DRAIN_MS = 30 * 60_000
const POLL_MS = 50

/** Resident memory in MiB. */
interface Memory {
  readonly now: number
  /** The most since the process began. */
  readonly peak: number
}

/** What a backlog costs a gateway in memory while its database is away, and how fast it is drained then. */
export async function memory(
  folder: string,
  server: Server | string,
  backlog: Backlog,
): Promise<Part> {
  if (typeof server === 'string')
    return { rows: [], skipped: [`a gateway with a backlog for PostgreSQL: ${server}`] }
  mkdirSync(folder)
  const configFile = join(folder, 'narrowgate.yaml')
  writeFileSync(join(folder, 'url'), await server.createDatabase(), { mode: 0o600 })
  writeFileSync(
    configFile,
    `
listen: { proxy: "127.0.0.1:0", owner: "127.0.0.1:0" }
ledger: { index: { driver: postgres, url: { file: ./url } } }
`,
  )
  await server.stop()
  const empty = await withGateway([configFile, join(folder, 'empty')], settled)
  const state = join(folder, 'state')
  mkdirSync(state, { mode: 0o700 })
  cpSync(backlog.folder, join(state, 'ledger'), { recursive: true })
  return withGateway([configFile, state], async (gateway) => {
    const lag = await lagOf(gateway)
    assert.ok(lag >= 2 * backlog.count, `the backlog: got \`${lag}\` records`)
    const standing = await settled(gateway)
    await server.start()
    const rate = await drained(gateway)
    return {
      rows: rowsOf(backlog, { empty, standing, after: memoryOf(gateway), rate }),
      skipped: [],
    }
  })
}

async function withGateway<T>(
  args: readonly string[],
  use: (gateway: Running) => Promise<T>,
): Promise<T> {
  const gateway = await start('ledger/gateway', args, GATEWAY_CORE)
  try {
    return await use(gateway)
  } finally {
    await stop(gateway)
  }
}

async function settled(gateway: Running): Promise<Memory> {
  await sleep(SETTLE_MS)
  return memoryOf(gateway)
}

function memoryOf({ pid }: Running): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const of = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1])
  return { now: of('VmRSS') / 1024, peak: of('VmHWM') / 1024 }
}

/** Durable records that the database has not got. */
async function lagOf({ ready }: Running): Promise<number> {
  const text = await (await fetch(`http://${ready.address}/metrics`)).text()
  const lag = /^narrowgate_ledger_lag_records (\d+)$/m.exec(text)?.[1]
  assert.ok(lag !== undefined, 'the metrics name the lag')
  return Number(lag)
}

/** Waits until nothing is left; gives the receipts a second, counted from when the database was found. */
async function drained(gateway: Running): Promise<number> {
  let from = { at: performance.now(), lag: await lagOf(gateway) }
  let moving = false
  for (const end = performance.now() + DRAIN_MS; performance.now() < end; await sleep(POLL_MS)) {
    const lag = await lagOf(gateway)
    const at = performance.now()
    // An exchange is two records.
    if (lag === 0) return (from.lag * 500) / (at - from.at)
    moving ||= lag < from.lag
    if (!moving) from = { at, lag }
  }
  throw new Error(`the backlog was not drained within ${DRAIN_MS} ms`)
}

interface Found {
  readonly empty: Memory
  readonly standing: Memory
  readonly after: Memory
  readonly rate: number
}

function rowsOf({ count }: Backlog, { empty, standing, after, rate }: Found): readonly Row[] {
  const name = 'gateway RSS, backlog'
  const against = `${count} receipts`
  return [
    { name: 'gateway RSS, empty log', value: empty.now, unit: 'MiB' },
    { name, value: standing.now, unit: 'MiB', against },
    { name: `${name}, peak`, value: after.peak, unit: 'MiB', against },
    { name, value: standing.now / empty.now, unit: '×', against: 'gateway RSS, empty log' },
    {
      name: `${name}, peak`,
      value: after.peak / empty.peak,
      unit: '×',
      against: 'gateway RSS, empty log, peak',
    },
    { name: 'drained by the gateway', value: rate, unit: 'receipts/s', against },
  ]
}
