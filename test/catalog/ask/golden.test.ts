import { readFileSync } from 'node:fs'
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import {
  checkView,
  checkWant,
  understand,
  type Cursors,
  type Understood,
} from '../../../catalog/index.ts'
import { KNOWN, NOW } from './known.ts'

const CURSORS: Cursors = { sign: (text) => text, check: () => undefined }

type Golden = Understood & { readonly question: string }

const file = new URL('golden.json', import.meta.url)
const GOLDEN = JSON.parse(readFileSync(file, 'utf8')) as readonly Golden[]

function check({ view, want }: Understood): void {
  const formed = checkWant(want)
  assert.ok(formed.ok, JSON.stringify(formed))
  const checked = checkView(view, formed.want, CURSORS)
  assert.ok(checked.ok, JSON.stringify(checked))
}

t.test('each question is taken for what the golden file says', async (t) => {
  t.ok(GOLDEN.length >= 60, `${GOLDEN.length} questions`)
  for (const { question, ...wanted } of GOLDEN) {
    const understood = understand(question, { now: NOW, known: KNOWN })
    t.strictSame(understood, wanted, question)
    check(understood)
  }
})

t.test('whatever is asked, what is understood can be asked of a view', async (t) => {
  const words = [...new Set(GOLDEN.flatMap(({ question }) => question.split(' ')))]
  const word = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...words) },
    { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '999999',
        '0',
        'years',
        'ago',
        'last',
        '0000-01-01',
        '9999-12-31',
        '__proto__',
        'constructor',
      ),
    },
  )
  const property = fc.property(fc.array(word, { maxLength: 12 }), (all) => {
    const question = all.join(' ')
    const understood = understand(question, { now: NOW, known: KNOWN })
    check(understood)
    assert.deepEqual(understand(question, { now: NOW, known: KNOWN }), understood)
  })
  await t.resolves(async () =>
    fc.assert(property, { numRuns: 1000, examples: [[['axis', 'refusals', 'largest']]] }),
  )
})

t.test('times are reckoned in UTC, from any now', async (t) => {
  const spanOf = (question: string, now: string) =>
    understand(question, { now: Date.parse(now), known: KNOWN }).want.where
  const cases: readonly (readonly [string, string, string | undefined, string | undefined])[] = [
    [
      'calls yesterday',
      '2026-03-01T00:00:00Z',
      '2026-02-28T00:00:00.000Z',
      '2026-03-01T00:00:00.000Z',
    ],
    [
      'calls yesterday',
      '2026-01-01T00:30:00+02:00',
      '2025-12-30T00:00:00.000Z',
      '2025-12-31T00:00:00.000Z',
    ],
    ['calls in the last month', '2026-03-31T12:00:00Z', '2026-02-28T12:00:00.000Z', undefined],
    ['calls in the last 13 months', '2026-03-31T12:00:00Z', '2025-02-28T12:00:00.000Z', undefined],
    ['calls in the last year', '2024-02-29T12:00:00Z', '2023-02-28T12:00:00.000Z', undefined],
    [
      'calls this month',
      '2026-12-05T12:00:00Z',
      '2026-12-01T00:00:00.000Z',
      '2027-01-01T00:00:00.000Z',
    ],
    [
      'calls this week',
      '2026-03-01T23:59:59Z',
      '2026-02-23T00:00:00.000Z',
      '2026-03-02T00:00:00.000Z',
    ],
    ['calls since monday', '2026-03-02T00:00:00Z', '2026-03-02T00:00:00.000Z', undefined],
    [
      'calls on sunday',
      '2026-03-02T00:00:00Z',
      '2026-03-01T00:00:00.000Z',
      '2026-03-02T00:00:00.000Z',
    ],
    [
      'calls in december',
      '2026-11-30T00:00:00Z',
      '2025-12-01T00:00:00.000Z',
      '2026-01-01T00:00:00.000Z',
    ],
    ['calls since 09:30', '2026-11-30T12:00:00Z', '2026-11-30T09:30:00.000Z', undefined],
    [
      'calls before 2026-02-01T00:00:00+02:00',
      '2026-11-30T12:00:00Z',
      undefined,
      '2026-01-31T22:00:00.000Z',
    ],
    ['calls since 999999 years ago', '2026-11-30T12:00:00Z', '0001-01-01T00:00:00.000Z', undefined],
  ]
  for (const [question, now, from, until] of cases) {
    const parts = [
      ...(from === undefined ? [] : [{ opened: { gte: from } }]),
      ...(until === undefined ? [] : [{ opened: { lt: until } }]),
    ]
    t.strictSame(
      spanOf(question, now),
      parts.length === 1 ? parts[0] : { and: parts },
      `${question} at ${now}`,
    )
  }
})
