import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { createAuthority } from '../../../gateway/tls/authority.ts'
import type { Authority } from '../../../gateway/tls/authority.ts'

export const clock = { now: () => Date.now() }

/** A folder that is gone after the test. */
export async function temporaryFolder(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'narrowgate-tls-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A new CA in a temporary folder. */
export async function temporaryAuthority(
  t: Test,
): Promise<{ authority: Authority; folder: string }> {
  const folder = join(await temporaryFolder(t), 'ca')
  return { authority: await createAuthority({ folder, clock }), folder }
}
