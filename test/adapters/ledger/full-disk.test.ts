import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { FROM_SOURCE } from '../../helpers/from-source.ts'
import { makeFolder } from './rig.ts'

const run = promisify(execFile)
const child = new URL('./full-disk.child.ts', import.meta.url).pathname
const unshare = process.getuid?.() === 0 ? ['-m'] : ['-rm']

interface Report {
  readonly records: number
  readonly refused: { readonly code: string; readonly ms: number }
  readonly again: string
  readonly laterMs: number
  readonly body: { readonly kept: boolean; readonly why: string; readonly bytes: number }
  readonly readyWhileFull: { readonly ok: boolean; readonly why: string }
  readonly alarms: readonly string[]
  readonly n: number
  readonly verdict: string
}

const mayMount = await run('unshare', [...unshare, 'true']).then(
  () => true,
  () => false,
)

// About six seconds: the deadline passes twice.
t.test(
  'a full disk',
  { skip: mayMount ? false : 'a mount namespace of its own is not permitted here' },
  async (t) => {
    const disk = makeFolder(t)
    const script = 'mount -t tmpfs -o size=1m tmpfs "$1" && exec "$2" "$3" "$4" "$1"'
    const { stdout } = await run('unshare', [
      ...unshare,
      'sh',
      '-c',
      script,
      'sh',
      disk,
      process.execPath,
      FROM_SOURCE,
      child,
    ])
    const report = JSON.parse(stdout) as Report

    t.ok(report.records > 10, `${report.records} records fit`)
    t.equal(report.refused.code, 'ledger_unavailable')
    t.ok(report.refused.ms < 4000, `refused after ${report.refused.ms} ms`)
    t.equal(report.again, 'refused')
    t.ok(report.laterMs < 1500, `in a long outage after ${report.laterMs} ms`)
    t.match(report.readyWhileFull, { ok: false, why: /ENOSPC/ })
    t.match(report.body, { kept: false, why: 'disk_full', bytes: 20 * 65_536 })
    t.same(report.alarms, ['unavailable', 'available'], 'it comes back by itself')
    t.equal(report.verdict, 'ok')
    t.equal(report.n, report.records + 1, 'what was refused is not in the log')
  },
)
