import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Test } from 'tap'
import { KEY } from '../rig/gateway.ts'
import type { Finished } from '../rig/processes.ts'
import { networkUnavailable } from '../rig/netns.ts'
import { createRig } from '../rig/rig.ts'
import type { Rig } from '../rig/rig.ts'
import { headerOf } from '../rig/upstreams/journal.ts'
import { createSandbox, SYSTEM_PATH } from './sandbox.ts'
import type { Sandbox } from './sandbox.ts'

/** One program of the matrix: how it is run, and what must be seen of it. */
export interface Client {
  readonly name: string
  /** What must be installed: names of programs, or whole paths of programs and folders. */
  readonly needs: readonly string[]
  /** The upstream's host. */
  readonly host: string
  /** The header in which the upstream's key goes; `authorization` by default. */
  readonly slot?: 'authorization' | 'x-api-key'
  /** Fetches something from `host`, by HTTPS, with nothing but the sandbox's variables. */
  readonly call: (box: Sandbox) => Promise<Finished>
  /** Asserts that the answer is right. */
  readonly answered: (t: Test, call: Finished, box: Sandbox) => void
  /** What the program shows of a refusal. */
  readonly refusal: RegExp
}

/** Registers the tests of one client: every client of the matrix must do the same four things. */
export function matrix(client: Client): void {
  const why = networkUnavailable() ?? missingProgram(client.needs)
  if (why !== undefined) return skipAll(client.name, why)
  void t.test(client.name, async (t) => {
    const rig = await createRig()
    t.teardown(() => rig.close())
    await t.test('a granted call', (t) => checkGranted(t, rig, client))
    await t.test('a refused call', (t) => checkRefused(t, rig, client))
  })
}

/** A missing program is a visible skip at home and a failure in CI. */
function skipAll(name: string, why: string): void {
  if (process.env['CI'] === 'true') t.fail(`${name} cannot run in CI: ${why}`)
  else t.plan(0, `${name}: ${why}`)
}

function missingProgram(needs: readonly string[]): string | undefined {
  const missing = needs.filter((program) => !isInstalled(program))
  return missing.length === 0
    ? undefined
    : `${missing.join(', ')} not installed: run scripts/setup-tests.sh`
}

function isInstalled(program: string): boolean {
  const places = program.startsWith('/') ? [''] : SYSTEM_PATH.split(':')
  return places.some((place) => {
    try {
      accessSync(join(place, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

async function checkGranted(t: Test, rig: Rig, client: Client): Promise<void> {
  const token = await rig.gateway.mint('--tools', 'HTTP_*', '--expires', '2h')
  const box = createSandbox(rig, await rig.gateway.environment(token))
  const call = await client.call(box)
  t.equal(call.code, 0, 'the program succeeds', { output: call.output, log: rig.gateway.log() })
  client.answered(t, call, box)
  t.notOk(call.output.includes(KEY), 'the program never sees the key')
  checkArrivals(t, rig, { client, token })
  await checkReceipts(t, rig, { client, outcome: 'allowed' })
}

async function checkRefused(t: Test, rig: Rig, client: Client): Promise<void> {
  const token = await rig.gateway.mint('--tools', 'SOMETHING_ELSE', '--expires', '2h')
  const box = createSandbox(rig, await rig.gateway.environment(token))
  const before = rig.arrivals().length
  const call = await client.call(box)
  t.match(call.output, client.refusal, 'the program shows the refusal')
  t.equal(rig.arrivals().length, before, 'nothing reaches the upstream')
  await checkReceipts(t, rig, { client, outcome: 'refused' })
}

interface Expected {
  readonly client: Client
  readonly token: string
}

function checkArrivals(t: Test, rig: Rig, { client, token }: Expected): void {
  const arrivals = rig.arrivals().filter((arrival) => arrival.host === client.host)
  t.ok(arrivals.length > 0, 'the call reaches the upstream')
  const slot = client.slot ?? 'authorization'
  const value = slot === 'authorization' ? `Bearer ${KEY}` : KEY
  for (const arrival of arrivals) {
    t.strictSame(headerOf(arrival, slot), [value], `${arrival.url} carries the key`)
    t.strictSame(headerOf(arrival, 'proxy-authorization'), [], 'and no proxy credentials')
  }
  const seen = JSON.stringify(arrivals)
  const basic = Buffer.from(`agent:${token}`).toString('base64')
  t.notOk(seen.includes(token) || seen.includes(basic), 'the upstream never sees the token')
}

async function checkReceipts(
  t: Test,
  rig: Rig,
  { client, outcome }: { readonly client: Client; readonly outcome: string },
): Promise<void> {
  const receipts = await rig.gateway.receipts()
  const found = receipts.filter((receipt) => receipt.outcome === outcome)
  t.ok(
    found.some(
      (receipt) => receipt.door === 'proxy' && JSON.stringify(receipt).includes(client.host),
    ),
    `a receipt tells of the ${outcome} call`,
    { receipts },
  )
}
