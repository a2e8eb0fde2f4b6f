import Database from 'better-sqlite3'
import { databaseFiles, statePaths } from '../../../gateway/state/paths.ts'
import { eventually } from '../../helpers/gateway.ts'
import type { Bench } from '../suite.ts'
import { nothingSent, proofOf } from './scene.ts'

// Stores that cannot be read any more: a table is gone from their file.

/** A host whose tunnels are not read, so that a CONNECT itself is judged. */
export const BLIND = {
  routes: () => [{ name: 'blind', hosts: ['blind.test:443'], intercept: false }],
}
export const TO_BLIND = { target: 'blind.test:443' }

function damage({ gateway }: Bench, store: 'grants' | 'uses', table: string): void {
  const db = new Database(databaseFiles(statePaths(gateway.state))[store])
  db.exec(`DROP TABLE ${table}`)
  db.close()
}

const COUNTED = ['tools = HTTP_*', 'uses <= 5']

const uses = proofOf({
  name: 'uses that cannot be counted',
  options: BLIND,
  begin: async (bench) => damage(bench, 'uses', 'uses'),
  calls: [{ code: 'not_ready', lines: COUNTED, waits: true }],
  connects: [{ code: 'not_ready', lines: COUNTED, connect: TO_BLIND, waits: true }],
  end: nothingSent,
})

const revocations = proofOf({
  name: 'revocations that cannot be read',
  options: BLIND,
  async begin(bench, t) {
    damage(bench, 'grants', 'revocations')
    const { gateway, token } = bench
    // Malformed, so that no call is let through before.
    const seen = async () =>
      (await gateway.ask('absolute', { token, headers: { want: '{' } })).status === 503
    t.ok(await eventually(seen), 'what was read last is not relied on for long')
  },
  calls: [{ code: 'revocation_unavailable', waits: true }],
  connects: [{ code: 'revocation_unavailable', connect: TO_BLIND, waits: true }],
  end: nothingSent,
})

export const STORES = [uses, revocations]
