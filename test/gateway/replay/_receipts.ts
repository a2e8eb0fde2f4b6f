import { parseConfig, type Config } from '../../../gateway/config/index.ts'
import { createConfigFiles } from '../../../gateway/config/files.ts'
import { readFixtures, type FixturesRead } from '../../../gateway/replay/fixtures.ts'
import { stringify } from 'yaml'

/** A receipt as the ledger gives it. */
export function receiptOf(id: string, over: object = {}): object {
  return {
    id,
    seq: 1,
    opened: '2026-11-29T12:00:00.000Z',
    closed: '2026-11-29T12:00:01.000Z',
    origin: 'gateway',
    door: 'proxy',
    task: 'T-7',
    grant: 'g_1',
    link: 'AAAAAAAAAAAAAAAAAAAAAA',
    envelope: { target: 'HTTP_GET', op: 'call', args: { host: 'a.test', url_path: '/pub/x' } },
    tool: 'HTTP_GET',
    upstream: { method: 'GET', url: 'https://a.test/pub/x?q=1' },
    outcome: 'allowed',
    ran: true,
    status: 200,
    ...over,
  }
}

/** One that was refused, with a reason of this axis. */
export function refusedOf(id: string, code: string, axis: string, over: object = {}): object {
  const reasons = [{ axis, caveat: '', got: 'x', repair: 'y' }]
  return receiptOf(id, { outcome: 'refused', ran: false, code, reasons, ...over })
}

export function fixturesOf(written: object, base = '/nowhere'): FixturesRead {
  return readFixtures(stringify(written), createConfigFiles(base, {}))
}

export function configOf(written: object, base = '/nowhere'): Config {
  const loaded = parseConfig(stringify(written), { base, env: {} })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  return loaded.config
}
