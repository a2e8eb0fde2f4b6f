import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { default as t, type Test } from 'tap'
import { verifySegments } from '../../adapters/ledger/verify.ts'
import { segmentPath, segmentNumbers, writerNames } from '../../adapters/ledger/segment/layout.ts'
import { startChild, type ChildGateway } from '../helpers/child.ts'
import { eventually } from '../helpers/eventually.ts'
import { assertAccounts, metricOf, readRecords } from '../helpers/records.ts'
import { askIn } from '../helpers/shapes.ts'

// The kernel gives the log's writes faults of its own: strace stands between the gateway and its segments. About half a minute.

/** Segments that an injection reaches: the first ones of a log; those that come later are written as they should be. */
const ALL = 40
/** Callers wait for 2 s. */
const HUNG_MS = 2_600

/** Lets system calls on some segments of a running gateway fail, until it is released. */
async function inject(
  t: Test,
  gateway: ChildGateway,
  { what, segments }: { readonly what: string; readonly segments: number },
): Promise<() => Promise<void>> {
  const folder = join(gateway.state, 'ledger')
  const [writer = ''] = writerNames(folder)
  const now = segmentNumbers(join(folder, writer)).at(-1) ?? 1
  const paths = Array.from({ length: segments }, (_, at) => segmentPath(folder, writer, now + at))
  const log = join(gateway.folder, 'strace.log')
  const strace = spawn('strace', [
    '-f',
    `--attach=${gateway.process.pid}`,
    `--output=${log}`,
    '--trace=pwrite64',
    `--inject=pwrite64:${what}`,
    ...paths.map((path) => `--trace-path=${path}`),
  ])
  let said = ''
  strace.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  const release = async () => {
    if (strace.exitCode !== null || strace.signalCode !== null) return
    const ended = once(strace, 'exit')
    strace.kill('SIGINT')
    await ended
  }
  t.teardown(release)
  if (!(await eventually(() => said.includes('attached')))) throw new Error(`strace: ${said}`)
  // Each thread is attached by itself.
  await delay(300)
  return async () => {
    await release()
    t.match(readFileSync(log, 'utf8'), /\(INJECTED\)|\(DELAYED\)/, 'the fault was there')
  }
}

async function counts(gateway: ChildGateway) {
  const metrics = await gateway.metrics()
  const count = (outcome: string) =>
    metricOf(metrics, 'narrowgate_exchanges_total', `outcome="${outcome}"`)
  return { allowed: count('allowed'), failed: count('failed'), unknown: count('unknown') }
}

function mayTrace(): boolean {
  return spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0
}

const why = mayTrace() ? undefined : 'strace may not trace here'
const options = { skip: why !== undefined && process.env['CI'] !== 'true' ? why : false }

t.test('faults of the disk', options, async (t) => {
  t.setTimeout(200_000)
  const seen: number[] = []
  let hold = false
  let held: ServerResponse | undefined
  const gateway = await startChild(t, {
    serve(_, res) {
      seen.push(performance.now())
      if (hold) held = res
      else res.end('{"an":"answer"}')
    },
  })
  const token = gateway.mint('tools = HTTP_*')
  const ask = () => askIn('absolute', gateway, { token })
  let answered = 0
  const isAnswered = async (t: Test) => {
    t.equal((await ask()).status, 200)
    answered++
  }
  await isAnswered(t)

  for (const error of ['EIO', 'ENOSPC', 'EDQUOT']) {
    await t.test(`a write that fails once with ${error} loses nothing`, async (t) => {
      const release = await inject(t, gateway, { what: `error=${error}:when=1`, segments: 1 })
      await isAnswered(t)
      await release()
      await isAnswered(t)
      t.equal(seen.length, answered)
    })
  }

  await t.test('what is held back from the disk is held back from the upstream', async (t) => {
    const release = await inject(t, gateway, { what: 'delay_enter=700000', segments: 1 })
    const began = performance.now()
    await isAnswered(t)
    const ended = performance.now()
    const reached = seen.at(-1) ?? 0
    t.ok(reached - began > 600, `the upstream was asked after ${Math.round(reached - began)} ms`)
    t.ok(ended - reached > 600, `answered ${Math.round(ended - reached)} ms after that`)
    await release()
  })

  for (const [record, outcome] of [
    ['an intent', 'failed'],
    ['an outcome', 'allowed'],
  ] as const)
    await t.test(`${record} that is written past its deadline`, async (t) => {
      const before = await counts(gateway)
      const fault = { what: `delay_enter=${HUNG_MS}000`, segments: 1 }
      const isOutcome = outcome === 'allowed'
      const early = isOutcome ? undefined : await inject(t, gateway, fault)
      hold = isOutcome
      const asked = ask()
      t.ok(isOutcome ? await eventually(() => held !== undefined) : true)
      const release = early ?? (await inject(t, gateway, fault))
      held?.end('late')
      hold = false
      const { status, header } = await asked
      t.same([status, header('refused')], [503, 'ledger_unavailable'])
      t.same(await counts(gateway), before, 'it is not counted as long as nobody knows')
      const wanted = { ...before, [outcome]: before[outcome] + 1 }
      t.ok(await eventually(async () => (await counts(gateway))[outcome] > before[outcome], 10_000))
      await release()
      await assertAccounts(t, gateway.state, gateway.metrics)
      t.same(await counts(gateway), wanted, 'then as it is recorded')
      if (isOutcome) answered++
      t.equal(seen.length, answered)
    })

  await t.test('where no write succeeds nothing is let through, until one does', async (t) => {
    const release = await inject(t, gateway, { what: 'error=ENOSPC', segments: ALL })
    const refused = await ask()
    t.equal(refused.status, 503)
    t.equal(refused.header('refused'), 'ledger_unavailable')
    t.equal(seen.length, answered, 'nothing was sent')
    await release()
    const isBack = async () => (await ask()).status === 200
    t.ok(await eventually(isBack), 'in service again')
    answered++
  })

  t.equal(await gateway.stop(), 0)
  t.match(gateway.printed(), /the ledger found something that must be looked at/, 'alarms')
  t.match(await verifySegments(join(gateway.state, 'ledger')), { verdict: 'ok' })
  const ends = readRecords(gateway.state).filter(({ kind, outcome }) => {
    return kind === 'outcome' && outcome === 'allowed'
  })
  t.equal(ends.length, answered, 'every answer has its outcome, and no other call has one')
})
