import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import t from 'tap'
import { startChild } from '../helpers/child.ts'
import { forge } from '../helpers/forge.ts'
import { eventually } from '../helpers/gateway.ts'
import { assertBalance, metricOf } from '../helpers/records.ts'
import { formOf, wantedForm } from '../helpers/refusal-form.ts'
import { askIn, SHAPES } from '../helpers/shapes.ts'
import { answerTo, proxyFields, upgradeIn, UPGRADES } from '../wire/refusal-cases.ts'
import { openTcp } from '../wire/wires.ts'

// The ledger lies on a disk of one megabyte that is filled up. About twenty seconds: each outage lasts a deadline.

// No receipt is named that is not there.
const FORM = wantedForm({ code: 'ledger_unavailable', receipt: false, waits: true })

const BLIND = 'blind.test:443'

const unshare = process.getuid?.() === 0 ? ['-m'] : ['-rm']

function mayMount(): boolean {
  try {
    execFileSync('unshare', [...unshare, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'])
    return true
  } catch {
    return false
  }
}

const MOUNT_AND_RUN =
  'mkdir -p "$0/ledger" && mount -t tmpfs -o size=1m,mode=700 tmpfs "$0/ledger" && exec "$@"'

t.test(
  'where nothing can be recorded nothing is let through',
  { skip: mayMount() ? false : 'a mount namespace of its own is not permitted here' },
  async (t) => {
    const held: ServerResponse[] = []
    const gateway = await startChild(
      t,
      {
        upstream: { keep: 'none' },
        routes: [{ name: 'blind', hosts: [BLIND], intercept: false }],
        serve(req, res) {
          if (req.url === '/begun') res.write('begun')
          if (req.url === '/') res.end('ok')
          else held.push(res)
        },
      },
      { wrap: (argv, state) => ['unshare', ...unshare, 'sh', '-c', MOUNT_AND_RUN, state, ...argv] },
    )
    // The mount is seen through the root of the process that lives in that namespace.
    const state = `/proc/${gateway.process.pid}/root${gateway.state}`
    const ballast = join(state, 'ledger', 'ballast')
    const token = gateway.mint('tools = HTTP_*', 'uses <= 10')
    t.equal((await askIn('absolute', gateway, { token })).status, 200)
    const free = gateway.mint('tools = HTTP_*')
    // Let through before, answered in the outage; of some the client has had half by then.
    const late = SHAPES.flatMap((shape) =>
      ['/begun', '/held'].map((path) => askIn(shape, gateway, { token: free, path })),
    )
    t.ok(await eventually(() => held.length === late.length))
    const fill = () => {
      for (let bytes = 1_000_000; bytes >= 1; bytes = Math.floor(bytes / 2))
        try {
          writeFileSync(ballast, Buffer.alloc(bytes), { flag: 'a' })
        } catch {
          // It is full to this grain; the next one is finer.
        }
    }
    fill()
    // What is left of the last block takes a record or two.
    const full = async () =>
      (await askIn('absolute', gateway, { token: gateway.mint('tools = HTTP_*') })).status === 503
    t.ok(await eventually(full, 30_000), 'the disk is full')

    const reached = gateway.upstreams.arrived.length
    for (const shape of SHAPES) {
      const began = Date.now()
      const got = await askIn(shape, gateway, { token, method: 'POST', body: 'x' })
      t.same(formOf(got), FORM, shape)
      t.ok(Date.now() - began < 2500, `after ${Date.now() - began} ms`)
      t.equal(got.header('receipt'), undefined, 'no receipt is named that is not there')
    }
    const upgrades = await Promise.all(
      UPGRADES.map((shape) => upgradeIn(shape, gateway, { token })),
    )
    t.same(
      upgrades.map(formOf),
      UPGRADES.map(() => FORM),
      'and on an upgrade',
    )
    const asked = `CONNECT ${BLIND} HTTP/1.1\r\nHost: ${BLIND}\r\n${proxyFields(token)}\r\n`
    const blind = await answerTo(await openTcp(gateway.proxyPort), asked)
    t.same(formOf(blind), FORM, 'and on a CONNECT whose tunnel is not read')
    t.equal(gateway.upstreams.arrived.length, reached, 'nothing reached the upstream')

    for (const res of held) res.end('late')
    for (const got of await Promise.all(late))
      if (got.status === 200) t.equal(got.whole, false, 'a half never looks whole')
      else t.same(formOf(got), { ...FORM, ran: true, refused: false, receipt: true })
    const forged = forge('x'.repeat(43), 'flood', ['tools = *'])
    const flood = await Promise.all(
      Array.from({ length: 80 }, () => askIn('absolute', gateway, { token: forged })),
    )
    t.same(
      new Set(flood.map(({ header }) => header('refused'))),
      new Set(['ledger_unavailable', 'token_forged']),
      'past fifty in a second they are recorded together, as soon as that can be',
    )

    rmSync(ballast)
    const serves = async () => (await askIn('absolute', gateway, { token })).status === 200
    t.ok(await eventually(serves, 10_000), 'it serves again by itself')
    const statuses: number[] = []
    for (let call = 0; call < 9; call++)
      statuses.push((await askIn('mount', gateway, { token })).status)
    t.same(statuses, [...Array.from({ length: 8 }, () => 200), 429], 'no use was spent meanwhile')
    const lost = await assertBalance(t, state, gateway.metrics)
    t.ok(lost >= SHAPES.length, 'the operator can count what was not recorded')
    const unknown = metricOf(
      await gateway.metrics(),
      'narrowgate_exchanges_total',
      'outcome="unknown"',
    )
    // One more where the last block of the disk took an intent and no outcome.
    t.ok(unknown >= late.length, 'what was sent and could not be closed is of unknown fate')
    t.equal(await gateway.stop(), 0)
  },
)
