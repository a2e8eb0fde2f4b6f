import type { Test } from 'tap'
import type { UseCounters } from '../../adapters/uses/port.ts'

/** What every driver of the counters must do. `open` gives fresh counters. */
export function testUseCounters(
  t: Test,
  open: (t: Test) => UseCounters | Promise<UseCounters>,
): void {
  const line = (link: string, limit: number) => ({ link, limit })

  t.test('a limit is let through exactly as often as it says', async (t) => {
    const uses = await open(t)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => uses.reserve([line('a', 5)])),
    )
    t.equal(answers.filter(({ ok }) => ok).length, 5)
    t.same(await uses.reserve([line('a', 5)]), {
      ok: false,
      spent: [{ link: 'a', limit: 5, used: 5 }],
    })
  })

  t.test('nought lets nothing through', async (t) => {
    t.same(await (await open(t)).reserve([line('a', 0)]), {
      ok: false,
      spent: [{ link: 'a', limit: 0, used: 0 }],
    })
  })

  t.test('a chain is reserved whole or not at all, and all spent lines are named', async (t) => {
    const uses = await open(t)
    t.equal((await uses.reserve([line('wide', 9), line('b', 1), line('c', 1)])).ok, true)
    const spent = [
      { link: 'b', limit: 1, used: 1 },
      { link: 'c', limit: 1, used: 1 },
    ]
    t.same(await uses.reserve([line('wide', 9), line('b', 1), line('c', 1)]), {
      ok: false,
      spent,
    })
    t.equal((await uses.read(['wide'])).get('wide'), 1)
  })

  t.test('narrower tokens share the count of the wider line', async (t) => {
    const uses = await open(t)
    await uses.reserve([line('wide', 2), line('left', 5)])
    await uses.reserve([line('wide', 2), line('right', 5)])
    t.match(await uses.reserve([line('wide', 2)]), {
      ok: false,
      spent: [{ link: 'wide', used: 2 }],
    })
  })

  t.test(
    'many chains at once share a wider line exactly, and each counts what it got',
    async (t) => {
      const uses = await open(t)
      const links = Array.from({ length: 8 }, (_, at) => `child-${at}`)
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, at) =>
          uses.reserve([line('wide', 5), line(links[at % links.length] ?? '', 3)]),
        ),
      )
      t.equal(answers.filter(({ ok }) => ok).length, 5)
      const used = await uses.read(['wide', ...links])
      t.equal(used.get('wide'), 5)
      t.equal(
        links.reduce((sum, link) => sum + (used.get(link) ?? 0), 0),
        5,
      )
      t.ok(links.every((link) => (used.get(link) ?? 0) <= 3))
    },
  )

  t.test('what is given back can be used again, and never goes below nought', async (t) => {
    const uses = await open(t)
    const taken = await uses.reserve([line('a', 1)])
    if (!taken.ok) return t.fail('the first use is let through')
    await uses.giveBack(taken.reservation)
    await uses.giveBack(taken.reservation)
    t.equal((await uses.read(['a'])).get('a'), 0)
    t.equal((await uses.reserve([line('a', 1)])).ok, true)
    t.equal((await uses.reserve([line('a', 1)])).ok, false)
  })

  t.test('a link that was never used is left out', async (t) => {
    t.equal((await (await open(t)).read(['never'])).size, 0)
  })

  t.test('a counter without an end is kept, however many come after it', async (t) => {
    const uses = await open(t)
    for (let at = 0; at < 3; at += 1) await uses.reserve([line('wide', 3)])
    // Enough reservations to make any driver look for what it can forget.
    for (let at = 0; at < 2500; at += 50) {
      const links = Array.from({ length: 50 }, (_, more) => `other-${at + more}`)
      await Promise.all(links.map((link) => uses.reserve([line(link, 1)])))
    }
    t.equal((await uses.reserve([line('wide', 3)])).ok, false)
  })
}
