import t from 'tap'
import { createRig, get, WITH_KEY } from './_owner.ts'

const status = async (rig: ReturnType<typeof createRig>, host: string) =>
  (await get(rig, '/healthz', { ...WITH_KEY, host })).status

t.test('a literal of the listener is taken', async (t) => {
  const rig = createRig()
  for (const host of [
    '127.0.0.1:3129',
    '127.0.0.1',
    'localhost:3129',
    'LOCALHOST',
    '[::1]:3129',
    '127.0.0.2:9',
  ]) {
    t.equal(await status(rig, host), 200, host)
  }
})

t.test('any other name is refused: it may be a page’s own, pointed at this machine', async (t) => {
  const rig = createRig()
  for (const host of [
    'evil.test',
    'evil.test:3129',
    '127.0.0.1.evil.test',
    'localhost.evil.test',
    '10.0.0.1',
    '127.1',
    'a@127.0.0.1',
  ]) {
    t.match(
      await get(rig, '/metrics', { host }),
      { status: 421, body: { code: 'authority_mismatch' } },
      host,
    )
  }
})

t.test('the configured name is taken', async (t) => {
  const rig = createRig({ listen: { kind: 'tcp', host: 'gate.internal', port: 1 } })
  t.equal(await status(rig, 'gate.internal:1'), 200)
  t.equal(await status(rig, 'evil.test'), 421)
})

t.test('on all interfaces every address is taken, and still no name', async (t) => {
  const rig = createRig({ listen: { kind: 'tcp', host: undefined, port: 1 } })
  t.equal(await status(rig, '10.0.0.1:1'), 200)
  t.equal(await status(rig, 'evil.test'), 421)
})

t.test('on a unix socket the Host says nothing', async (t) => {
  const rig = createRig({ listen: { kind: 'unix', path: '/run/o.sock' } })
  t.equal(await status(rig, 'anything'), 200)
})
