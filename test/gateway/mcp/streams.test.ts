import t from 'tap'
import { createNewsStreams, type NewsPorts } from '../../../gateway/mcp/streams.ts'
import { createBuildKey, createTokenVerifier, mintToken } from '../../../policy/index.ts'
import type { VerifiedToken } from '../../../policy/index.ts'
import { eventually } from '../../helpers/eventually.ts'

const KEY = createBuildKey(Buffer.alloc(32, 7).toString('base64url'))
const TOKEN = mintToken(KEY, 'grant-1', ['expires < 2030-01-01T00:00:00Z'])

/** Ports whose world can be changed under the streams. */
function world() {
  const verifier = createTokenVerifier({ keys: [KEY] })
  const state = {
    tools: [] as readonly unknown[],
    now: 0,
    revoked: undefined as string | undefined,
    leashed: undefined as VerifiedToken | undefined,
    sweep: () => {},
  }
  const config = { headers: { session: 'session' }, persons: { cookie: 'session' } }
  const ports = {
    clock: { now: () => state.now },
    verifier,
    sessions: {},
    revocations: {
      fresh: async () => {},
      revoked: () => state.revoked,
      onChange: (sweep: () => void) => {
        state.sweep = sweep
        return () => {}
      },
    },
    leash: (token: VerifiedToken) => state.leashed ?? token,
    snapshot: () => ({ config }),
    tools: () => state.tools,
  } as unknown as NewsPorts
  const streams = createNewsStreams(ports)
  const heard: string[] = []
  const stream = {
    bearer: { credential: TOKEN, headers: [] },
    judged: verifier.verify(TOKEN),
    changed: () => void heard.push('changed'),
    end: () => void heard.push('end'),
  }
  return { state, streams, heard, add: (most = 9) => streams.add(stream, most) }
}

/** Sweeps as often as it takes; what was heard then, and after two more. */
async function swept({ state, heard }: ReturnType<typeof world>): Promise<readonly string[]> {
  await eventually(() => {
    state.sweep()
    return heard.length > 0
  }, 200)
  for (let more = 0; more < 2; more++) {
    state.sweep()
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return heard.splice(0)
}

t.test('a client hears once of what has changed, and of nothing else', async (t) => {
  const one = world()
  one.add()
  t.strictSame(await swept(one), [], 'nothing has')
  one.state.tools = [1]
  t.strictSame(await swept(one), ['changed'], 'other rows')
  one.state.leashed = { ...createTokenVerifier({ keys: [KEY] }).verify(TOKEN) }
  t.strictSame(await swept(one), ['changed'], 'a leash')
  one.streams.close()
  t.strictSame(one.heard, ['end'])
})

t.test('a stream ends with its token, and its client hears of it first', async (t) => {
  const ends = {
    revoked: (one: ReturnType<typeof world>) => (one.state.revoked = 'grant-1'),
    expired: (one: ReturnType<typeof world>) => (one.state.now = Date.UTC(2031)),
    unreadable: (one: ReturnType<typeof world>) =>
      Object.defineProperty(one.state, 'revoked', {
        get: () => {
          throw new Error('no store')
        },
      }),
  }
  for (const [name, end] of Object.entries(ends)) {
    const one = world()
    one.add()
    end(one)
    t.strictSame(await swept(one), ['changed', 'end'], name)
    one.streams.close()
    t.strictSame(one.heard, [], 'it is forgotten')
  }
})

t.test('what was left is forgotten, and makes room', async (t) => {
  const one = world()
  const leave = one.add(1)
  t.throws(() => one.add(1), { code: 'overloaded', retryAfter: 10 })
  leave()
  one.state.tools = [1]
  t.strictSame(await swept(one), [])
  one.add(1)
  one.streams.close()
  t.strictSame(one.heard, ['end'])
})

t.test('a sweep comes by itself', async (t) => {
  const one = world()
  one.add()
  one.state.revoked = 'grant-1'
  // Nothing else keeps the process.
  const held = setInterval(() => {}, 100)
  t.ok(await eventually(() => one.heard.includes('end'), 5000))
  clearInterval(held)
})
