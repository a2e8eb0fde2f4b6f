import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Figures, measure, type Row } from './measure.ts'
import { otherRows } from './others.ts'
import { ownRows } from './ours.ts'

/** What a figure must reach against another of the same run. */
interface Floor {
  readonly says: string
  readonly holds: (of: (name: string) => number) => boolean
}

const FLOORS: readonly Floor[] = [
  {
    says: 'verify at least 2.5 times as fast as npm macaroon',
    holds: (of) => of('macaroon') >= 2.5 * of('verify'),
  },
  {
    says: 'a warm decision costs at most 1.5 HMAC links of node:crypto',
    holds: (of) => of('decide, warm') <= 1.5 * of('link'),
  },
]

const folder = mkdtempSync(join(tmpdir(), 'narrowgate-bench-'))
try {
  const rows = [...ownRows(folder), ...otherRows()]
  const figures = await measure(rows)
  console.log(`Node ${process.version}, CPU time, medians`)
  console.log(tableOf(rows, figures))
  process.exitCode = report(figures) ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function tableOf(rows: readonly Row[], figures: Figures): string {
  const verify = figures.get('verify') ?? Number.NaN
  const lines = rows.map(({ name, says }) => {
    const time = figures.get(name) ?? Number.NaN
    const ratio = (time / verify).toFixed(2)
    return `${name.padEnd(24)}${time.toFixed(2).padStart(10)}${ratio.padStart(12)}  ${says}`
  })
  return [`${'row'.padEnd(24)}${'µs'.padStart(10)}${'× verify'.padStart(12)}`, ...lines].join('\n')
}

function report(figures: Figures): boolean {
  const of = (name: string) => figures.get(name) ?? Number.NaN
  let held = true
  for (const { says, holds } of FLOORS) {
    const reached = holds(of)
    held &&= reached
    console.log(`floor: ${says}: ${reached ? 'held' : 'MISSED'}`)
  }
  return held
}
