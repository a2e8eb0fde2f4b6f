import t from 'tap'
import { checkOrigin } from '../../../gateway/mcp/origin.ts'
import type { Config } from '../../../gateway/config/types.ts'
import type { Knock } from '../../../gateway/knock.ts'

const CONFIG = {
  owner: { keyHeaders: [], send: { command: ['mail'], base: 'https://gate.example.com' } },
  listen: {
    proxy: { kind: 'tcp', host: '10.0.0.5', port: 3128 },
    owner: { kind: 'unix', path: '/run/owner.sock' },
  },
} as const satisfies Pick<Config, 'owner' | 'listen'>

const knock = (...origins: readonly string[]) =>
  ({ headers: origins.flatMap((origin) => ['Origin', origin]) }) as unknown as Knock

t.test('pages of this machine and of the gateway may ask, and programs', async (t) => {
  for (const origins of [
    [],
    ['http://localhost:6274'],
    ['http://127.0.0.1'],
    ['http://[::1]:1'],
    ['https://gate.example.com'],
    ['http://10.0.0.5:3128'],
  ])
    t.doesNotThrow(() => checkOrigin(knock(...origins), CONFIG), origins.join())
})

t.test('no others', async (t) => {
  const refused = { code: 'origin_refused', status: 403 }
  for (const origins of [
    ['null'],
    [''],
    ['http://evil.example.com'],
    ['http://localhost.evil.example.com'],
    ['http://localhost@evil.example.com'],
    ['http://10.0.0.6'],
    ['http://localhost', 'http://evil.example.com'],
  ])
    t.throws(() => checkOrigin(knock(...origins), CONFIG), refused, origins.join())
  const bare = { ...CONFIG, owner: { ...CONFIG.owner, send: undefined } }
  t.throws(() => checkOrigin(knock('https://gate.example.com'), bare), refused)
})
