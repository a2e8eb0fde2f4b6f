import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lastCheckpoint } from '../checkpoint/file.ts'
import type { Damage } from './check.ts'
import { isForeign } from './foreign.ts'
import { segmentPath, writerNames } from './layout.ts'
import { isDamage, recoverWriter, type Recovered } from './recovery.ts'

const RETIRED = 'retired.json'

/** A writer whose log is damaged: nothing is appended to it any more. */
export interface DamagedWriter extends Damage {
  readonly writer: string
}

/** Finds the writer of this folder, or begins one where there is none that is sound. */
export function findWriter(folder: string): {
  readonly recovered: Recovered
  readonly damaged: readonly DamagedWriter[]
} {
  const damaged: DamagedWriter[] = []
  let recovered: Recovered | undefined
  for (const writer of writerNames(folder)) {
    if (isRetired(folder, writer) || isForeign(folder, writer)) continue
    const result = recoverSigned(folder, writer)
    if (isDamage(result)) damaged.push({ writer, ...result })
    else recovered ??= result
  }
  return { recovered: recovered ?? beginWriter(folder), damaged }
}

/** A log that ends before its own last checkpoint was cut: nothing that was signed was ever less than durable. */
function recoverSigned(folder: string, writer: string): Recovered | Damage {
  const found = recoverWriter(folder, writer)
  if (isDamage(found)) return found
  const { size = 0 } = lastCheckpoint(folder, writer) ?? {}
  if (size <= found.end.n) return found
  return {
    file: segmentPath(folder, writer, found.segment?.number ?? 1),
    record: found.end.n + 1,
    offset: found.segment?.size ?? 0,
    what: `the log ends here, though its first ${size} records were signed`,
  }
}

function beginWriter(folder: string): Recovered {
  const writer = `w_${randomBytes(9).toString('base64url')}`
  mkdirSync(join(folder, writer), { mode: 0o700 })
  const recovered = recoverWriter(folder, writer)
  if (isDamage(recovered)) throw new Error(`ledger ${folder}: a new writer cannot be damaged`)
  return recovered
}

/** Whether nothing is appended to this writer's log any more, since it was found damaged. */
export function isRetired(folder: string, writer: string): boolean {
  return existsSync(join(folder, writer, RETIRED))
}

/** Notes beside a damaged log that it is known: later starts leave it alone. */
export function retireWriter(folder: string, damage: DamagedWriter): void {
  writeFileSync(join(folder, damage.writer, RETIRED), `${JSON.stringify(damage)}\n`, {
    mode: 0o600,
  })
}
