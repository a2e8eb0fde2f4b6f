import t from 'tap'
import type { Authority } from '../../../gateway/tls/authority.ts'
import { createLeafCache } from '../../../gateway/tls/leaf-cache.ts'
import { temporaryAuthority } from './_authority.ts'

/** The authority, and how often each host was minted. */
function counting(authority: Authority) {
  const minted = new Map<string, number>()
  const leaf = (host: string) => {
    minted.set(host, (minted.get(host) ?? 0) + 1)
    return authority.leaf(host)
  }
  return { minted, authority: { ...authority, leaf } }
}

t.test('200 hosts asked for in parallel are minted once each', async (t) => {
  const { minted, authority } = counting((await temporaryAuthority(t)).authority)
  const cache = createLeafCache({ authority, size: 1_000 })
  const hosts = Array.from({ length: 200 }, (_, n) => `h${n}.test`)
  const rounds = await Promise.all(
    [...hosts, ...hosts, ...hosts].map((host) => cache.context(host)),
  )
  t.same(
    [...minted.values()],
    hosts.map(() => 1),
  )
  t.equal(new Set(rounds).size, 200)
})

t.test('the least recently used host is dropped', async (t) => {
  const { minted, authority } = counting((await temporaryAuthority(t)).authority)
  const cache = createLeafCache({ authority, size: 2 })
  for (const host of ['a.test', 'b.test', 'a.test', 'c.test', 'a.test', 'b.test'])
    await cache.context(host)
  t.same(Object.fromEntries(minted), { 'a.test': 1, 'b.test': 2, 'c.test': 1 })
})

t.test('a failure is told to all who waited, and not remembered', async (t) => {
  const { authority } = await temporaryAuthority(t)
  let down = true
  const leaf: Authority['leaf'] = async (host) => {
    if (down) throw new Error('disk on fire')
    return authority.leaf(host)
  }
  const cache = createLeafCache({ authority: { ...authority, leaf }, size: 10 })
  const both = await Promise.allSettled([cache.context('a.test'), cache.context('a.test')])
  t.same(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  down = false
  await t.resolves(cache.context('a.test'))
})

t.test('a crowd of new hosts leaves turns of the event loop to others', async (t) => {
  const { authority } = await temporaryAuthority(t)
  const cache = createLeafCache({ authority, size: 100 })
  let turn = 0
  let counting: NodeJS.Immediate
  const count = () => {
    turn += 1
    counting = setImmediate(count)
  }
  count()
  t.teardown(() => clearImmediate(counting))
  const turns = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      await cache.context(`h${n}.test`)
      return turn
    }),
  )
  t.equal(new Set(turns).size, 20, 'no two were made in the same one')
})
