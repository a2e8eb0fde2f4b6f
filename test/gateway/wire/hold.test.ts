import { createHash } from 'node:crypto'
import t from 'tap'
import { holdLastPiece } from '../../../gateway/wire/hold.ts'
import type { Totals } from '../../../gateway/wire/measure.ts'

const turn = () => new Promise((resolve) => setTimeout(resolve, 10))
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** A stream whose last piece waits until `release` is called. */
function held(length: number | undefined) {
  const seen = { out: '', ended: false, totals: [] as Totals[] }
  let release: () => void = () => {}
  let refuse: (error: Error) => void = () => {}
  const gate = new Promise<void>((resolve, reject) => ([release, refuse] = [resolve, reject]))
  const stream = holdLastPiece(length, (totals) => {
    seen.totals.push(totals)
    return gate
  })
  stream.on('data', (chunk: Buffer) => (seen.out += chunk.toString()))
  stream.on('end', () => (seen.ended = true))
  return { stream, seen, release: () => release(), refuse: (error: Error) => refuse(error) }
}

t.test('of a known length the completing chunk waits', async (t) => {
  const { stream, seen, release } = held(5)
  stream.write('abc')
  await turn()
  t.equal(seen.out, 'abc')
  stream.end('de')
  await turn()
  t.equal(seen.out, 'abc')
  t.same(seen.totals, [{ bytes: 5, sha256: sha256('abcde') }])
  release()
  await turn()
  t.match(seen, { out: 'abcde', ended: true })
  t.equal(seen.totals.length, 1)
})

t.test('of an unknown length only the end waits', async (t) => {
  const { stream, seen, release } = held(undefined)
  stream.end('abc')
  await turn()
  t.match(seen, { out: 'abc', ended: false, totals: [{ bytes: 3, sha256: sha256('abc') }] })
  release()
  await turn()
  t.ok(seen.ended)
})

t.test('an empty body waits as well', async (t) => {
  for (const length of [0, undefined]) {
    const { stream, seen, release } = held(length)
    stream.end()
    await turn()
    t.notOk(seen.ended)
    release()
    await turn()
    t.match(seen, { ended: true, totals: [{ bytes: 0, sha256: sha256('') }] })
  }
})

t.test('where the outcome can not be recorded the last piece never leaves', async (t) => {
  for (const length of [3, undefined]) {
    const { stream, seen, refuse } = held(length)
    const failed = new Promise((resolve) => stream.on('error', resolve))
    stream.end('abc')
    refuse(new Error('ledger'))
    t.match(await failed, { message: 'ledger' })
    t.equal(seen.ended, false)
    if (length !== undefined) t.equal(seen.out, '')
  }
})

t.test('a body that misses its length fails, and is not reported as whole', async (t) => {
  for (const text of ['ab', 'abcd']) {
    const { stream, seen } = held(3)
    const failed = new Promise((resolve) => stream.on('error', resolve))
    stream.end(text)
    t.match(await failed, { name: 'RangeError', message: `\`${text.length}\`` })
    t.same(seen.totals, [])
  }
})
