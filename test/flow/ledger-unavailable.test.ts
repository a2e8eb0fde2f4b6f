import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startChild } from '../helpers/child.ts'
import { eventually } from '../helpers/gateway.ts'
import { metricOf } from '../helpers/records.ts'
import { formOf, wantedForm } from '../helpers/refusal-form.ts'
import { askIn, SHAPES } from '../helpers/shapes.ts'
import { upgradeIn, UPGRADES } from '../wire/refusal-cases.ts'

// The ledger lies on a disk of one megabyte that is filled up. About fifteen seconds: each outage lasts a deadline.

// No receipt is named that is not there.
const FORM = wantedForm({ code: 'ledger_unavailable', receipt: false, waits: true })

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
    const gateway = await startChild(
      t,
      { upstream: { keep: 'none' } },
      { wrap: (argv, state) => ['unshare', ...unshare, 'sh', '-c', MOUNT_AND_RUN, state, ...argv] },
    )
    // The mount is seen through the root of the process that lives in that namespace.
    const disk = `/proc/${gateway.process.pid}/root${join(gateway.state, 'ledger')}`
    const ballast = join(disk, 'ballast')
    const token = gateway.mint('tools = HTTP_*', 'uses <= 10')
    t.equal((await askIn('absolute', gateway, { token })).status, 200)
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
    t.equal(gateway.upstreams.arrived.length, reached, 'nothing reached the upstream')
    const lost = metricOf(await gateway.metrics(), 'narrowgate_receipts_lost_total')
    t.ok(lost >= SHAPES.length, 'the operator can count what was not recorded')

    rmSync(ballast)
    const serves = async () => (await askIn('absolute', gateway, { token })).status === 200
    t.ok(await eventually(serves, 10_000), 'it serves again by itself')
    const statuses: number[] = []
    for (let call = 0; call < 9; call++)
      statuses.push((await askIn('mount', gateway, { token })).status)
    t.same(statuses, [...Array.from({ length: 8 }, () => 200), 429], 'no use was spent meanwhile')
    t.equal(await gateway.stop(), 0)
  },
)
