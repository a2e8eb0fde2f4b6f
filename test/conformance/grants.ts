import type { Test } from 'tap'
import type { Grant, Grants } from '../../adapters/grants/port.ts'

const NOW = Date.parse('2026-11-29T12:00:00Z')
const AT = '2026-11-29T12:00:00.000Z'
const GRANT: Grant = {
  id: 'g1',
  lines: ['tools = HTTP_GET'],
  minted: '2026-11-29T11:00:00.000Z',
  by: 'owner',
  task: 'T-1',
}

/** A second is what is promised to whoever revokes. */
const WITHIN_MS = 1000

/** Opens one and the same store each time it is called; what was opened ends with the test. */
export type OpenGrants = () => Promise<Grants>

/** What every driver of the grants must do. `makeStore` makes a new store. */
export function testGrants(t: Test, makeStore: (t: Test) => Promise<OpenGrants>): void {
  const on = (name: string, body: (t: Test, open: OpenGrants) => Promise<void>) =>
    t.test(name, async (t) => body(t, await makeStore(t)))
  testRevocations(on)
  testLeashLimit(on)
  testLists(on)
  testOutbox(on)
  testNews(on)
}

type On = (name: string, body: (t: Test, open: OpenGrants) => Promise<void>) => unknown

function testRevocations(on: On): void {
  on('a revoked grant or link is named, and nothing else', async (t, open) => {
    const grants = await open()
    t.equal(grants.revoked('g1', ['l0', 'l1']), undefined)
    t.equal(await grants.revoke('l1', 'owner', NOW), true)
    t.equal(await grants.revoke('l1', 'owner', NOW), false)
    t.equal(grants.revoked('g1', ['l0', 'l1']), 'l1')
    t.equal(grants.revoked('g1', ['l0']), undefined)
    await grants.revoke('g1', 'owner', NOW)
    t.equal(grants.revoked('g1', ['l0', 'l1']), 'g1')
  })

  on('one branch dies, its siblings and its parent live', async (t, open) => {
    const grants = await open()
    await grants.revoke('left', 'owner', NOW)
    t.equal(grants.revoked('g1', ['root', 'left', 'below']), 'left')
    t.equal(grants.revoked('g1', ['root', 'right']), undefined)
    t.equal(grants.revoked('g1', ['root']), undefined)
  })

  on('a leash grows at its end, and its array stays where it does not', async (t, open) => {
    const grants = await open()
    t.equal(grants.leashOf('g1'), undefined)
    await grants.leash('g1', ['tools = A', 'uses <= 1'], { by: 'owner', now: NOW })
    const first = grants.leashOf('g1')
    await grants.leash('g2', ['tools = B'], { by: 'owner', now: NOW })
    t.equal(grants.leashOf('g1'), first, 'the same array')
    await grants.leash('g1', ['tools = C'], { by: 'owner', now: NOW })
    t.strictSame(grants.leashOf('g1'), ['tools = A', 'uses <= 1', 'tools = C'])
    t.strictSame((await open()).leashOf('g1'), ['tools = A', 'uses <= 1', 'tools = C'])
  })
}

function testLeashLimit(on: On): void {
  on('a leash takes 64 lines, however many put lines on it at once', async (t, open) => {
    const each = Array.from({ length: 20 }, (_, at) => `uses <= ${at}`)
    const stores = await Promise.all([open(), open()])
    const done = await Promise.all(
      [0, 1, 0, 1].map((at) => stores[at]!.leash('g1', each, { by: 'owner', now: NOW })),
    )
    t.equal(done.filter(Boolean).length, 3)
    const [grants] = stores
    t.equal(await grants.leash('g1', each.slice(0, 5), { by: 'owner', now: NOW }), false)
    t.equal(await grants.leash('g1', each.slice(0, 4), { by: 'owner', now: NOW }), true)
    await grants.fresh()
    t.equal(grants.leashOf('g1')?.length, 64)
    t.equal(await grants.leash('g2', each, { by: 'owner', now: NOW }), true, 'another grant')
    const told = (await grants.takeOutbox()).events.length
    t.equal(told, 5, 'what was not done is not told')
  })
}

function testLists(on: On): void {
  on('minted grants are listed, with revocation and leash', async (t, open) => {
    const grants = await open()
    const { task: _, ...plain } = GRANT
    const second = { ...plain, id: 'g2', minted: '2026-11-29T11:30:00.000Z' }
    await grants.recordMinted(GRANT)
    await grants.recordMinted(second)
    await grants.revoke('g1', 'owner', NOW)
    await grants.leash('g1', ['tools = A'], { by: 'owner', now: NOW })
    await grants.leash('g1', ['tools = B'], { by: 'owner', now: NOW })
    const ended = { ...GRANT, revoked: AT, leash: ['tools = A', 'tools = B'] }
    t.strictSame(await grants.list(), [{ ...second, leash: [] }, ended])
    t.strictSame(await grants.get('g1'), { ...ended, children: [] })
    t.equal(await grants.get('g3'), undefined)
    await t.rejects(grants.recordMinted(GRANT), /the id `g1` is known/)
  })

  on(
    'children are remembered once, of known grants, and the grant itself is none',
    async (t, open) => {
      const grants = await open()
      await grants.recordMinted(GRANT)
      const root = { id: 'g1', links: ['l0', 'l1'], lines: GRANT.lines }
      const child = { id: 'g1', links: ['l0', 'l1', 'l2'], lines: [...GRANT.lines, 'uses <= 1'] }
      for (const place of [root, child, child]) grants.saw(place, NOW)
      grants.saw({ ...child, id: 'stranger', links: ['x0', 'x1', 'x2'] }, NOW)
      const children = [{ links: child.links, lines: child.lines, seen: AT }]
      t.strictSame((await grants.get('g1'))?.children, children)
      const other = await open()
      other.saw(child, NOW + 1000)
      t.strictSame((await other.get('g1'))?.children, children, 'the first sight counts')
      t.equal(await other.get('stranger'), undefined)
    },
  )

  on('a holder cannot fill the store with children', async (t, open) => {
    const grants = await open()
    await grants.recordMinted(GRANT)
    for (let at = 0; at < 1200; at += 1) {
      const link = `child-${at}`
      grants.saw({ id: 'g1', links: ['l0', 'l1', link], lines: [...GRANT.lines, link] }, NOW)
      if (at % 500 === 499) await grants.get('g1')
    }
    t.equal((await grants.get('g1'))?.children.length, 1000)
  })
}

function testOutbox(on: On): void {
  on('the outbox keeps its events until they are settled', async (t, open) => {
    const command = await open()
    await command.recordMinted(GRANT)
    await command.revoke('g1', 'owner', NOW)
    await command.leash('g1', ['tools = A'], { by: 'owner', now: NOW })
    const gateway = await open()
    const taken = await gateway.takeOutbox()
    t.strictSame(taken.events, [
      {
        event: 'grant_minted',
        subject: 'g1',
        actor: 'owner',
        task: 'T-1',
        data: { at: GRANT.minted, lines: GRANT.lines },
      },
      { event: 'grant_revoked', subject: 'g1', actor: 'owner', data: { at: AT } },
      {
        event: 'grant_leashed',
        subject: 'g1',
        actor: 'owner',
        data: { at: AT, lines: ['tools = A'] },
      },
    ])
    await command.revoke('l9', 'owner', NOW)
    await taken.settle()
    const rest = await gateway.takeOutbox()
    t.strictSame(
      rest.events.map(({ subject }) => subject),
      ['l9'],
    )
    await rest.settle()
    t.strictSame((await gateway.takeOutbox()).events, [])
  })
}

function testNews(on: On): void {
  on('what another opened is seen within a second, and told', async (t, open) => {
    const gateway = await open()
    const command = await open()
    const told = () =>
      new Promise<number>((resolve) => gateway.onChange(() => resolve(performance.now())))
    const alive = setInterval(() => undefined, 1000)
    t.teardown(() => clearInterval(alive))
    const changes = {
      revoke: () => command.revoke('g1', 'owner', NOW),
      leash: () => command.leash('g1', ['tools = A'], { by: 'owner', now: NOW }),
    }
    for (const [name, change] of Object.entries(changes)) {
      const news = told()
      const began = performance.now()
      await change()
      const took = (await news) - began
      t.comment(`${name}: seen after ${Math.round(took)} ms`)
      t.ok(took < WITHIN_MS, `${name}: ${took} ms`)
    }
    t.equal(gateway.revoked('g1', []), 'g1')
    t.strictSame(gateway.leashOf('g1'), ['tools = A'])
  })

  on('who stopped listening hears nothing', async (t, open) => {
    const grants = await open()
    let heard = 0
    const stop = grants.onChange(() => (heard += 1))
    await grants.revoke('a', 'owner', NOW)
    stop()
    await grants.revoke('b', 'owner', NOW)
    t.equal(heard, 1)
    t.equal(grants.revoked('b', []), 'b')
  })
}
