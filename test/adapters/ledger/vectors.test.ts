import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { verifySegments } from '../../../adapters/ledger/verify.ts'

interface Case {
  readonly verdict: string
  readonly records?: number
  readonly head?: string
  readonly open_intents?: readonly number[]
  readonly record?: number
}

const folder = new URL('../../vectors/segment/', import.meta.url)
const vectors = JSON.parse(await readFile(new URL('segment.json', folder), 'utf8')) as {
  readonly hashes: readonly string[]
  readonly cases: Readonly<Record<string, Case>>
}
const head = { writer: 'w_7Qk2', n: 4, hash: vectors.hashes.at(-1) ?? '' }

for (const [name, wanted] of Object.entries(vectors.cases)) {
  t.test(`${name}: ${wanted.verdict}`, async (t) => {
    const file = fileURLToPath(new URL(name, folder))
    const alone = await verifySegments([file])
    const caughtByHead = wanted.verdict === 'ok alone, caught by head'
    t.equal(alone.verdict, caughtByHead ? 'ok' : wanted.verdict)
    if (wanted.records !== undefined) t.equal(alone.records, wanted.records)
    if (wanted.head !== undefined) t.equal(alone.head, wanted.head)
    if (wanted.open_intents !== undefined) t.same(alone.openIntents, wanted.open_intents)
    if (wanted.verdict === 'damaged') {
      t.equal(Math.min(...alone.faults.map(({ record }) => record)), wanted.record)
    }
    if (caughtByHead) {
      t.not(alone.head, head.hash)
      const known = await verifySegments([file], { heads: [head] })
      t.equal(known.verdict, 'damaged')
      t.match(known.faults[0]?.what, /was rewritten/)
    }
  })
}

t.test('a head that was seen lies on the chain of the good log', async (t) => {
  const file = fileURLToPath(new URL('good.ndlog', folder))
  const known = vectors.hashes.map((hash, n) => ({ writer: head.writer, n, hash }))
  t.equal((await verifySegments([file], { heads: known })).verdict, 'ok')
})
