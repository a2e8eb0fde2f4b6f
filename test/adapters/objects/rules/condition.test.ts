import Database from 'better-sqlite3'
import fc from 'fast-check'
import t from 'tap'
import type { OnlyIf } from '../../../../adapters/objects/bucket.ts'
import { conditionSql } from '../../../../adapters/objects/rules/condition-sql.ts'
import { checkCondition, holds, type Judged } from '../../../../adapters/objects/rules/condition.ts'

const etag = fc.constantFrom('aa', 'bb', 'cc', '*')
const etags = fc.oneof(etag, fc.array(etag, { minLength: 1, maxLength: 3 }))
const time = fc.integer({ min: 9_000, max: 12_000 })
const condition: fc.Arbitrary<OnlyIf> = fc.record(
  {
    etagMatches: etags,
    etagDoesNotMatch: etags,
    uploadedBefore: time,
    uploadedAfter: time,
    secondsGranularity: fc.boolean(),
  },
  { requiredKeys: [] },
)
const object: fc.Arbitrary<Judged> = fc.record({
  etag: fc.constantFrom('aa', 'bb', 'cc'),
  uploaded: time,
})

/** The steps of RFC 9110, 13.2.2, one after the other, with the object's time for Last-Modified. */
function bySteps(onlyIf: OnlyIf, object: Judged | undefined): boolean {
  const round = (ms: number) => (onlyIf.secondsGranularity ? ms - (ms % 1000) : ms)
  const has = (list: string | readonly string[]) =>
    object !== undefined && [list].flat().some((one) => one === '*' || one === object.etag)
  if (onlyIf.etagMatches !== undefined) {
    if (!has(onlyIf.etagMatches)) return false
  } else if (onlyIf.uploadedBefore !== undefined && object !== undefined) {
    if (!(round(object.uploaded) < round(onlyIf.uploadedBefore))) return false
  }
  // What is not there was not uploaded after anything: so does R2, where HTTP has nothing to compare.
  if (object === undefined) return onlyIf.uploadedAfter === undefined
  if (onlyIf.etagDoesNotMatch !== undefined) return !has(onlyIf.etagDoesNotMatch)
  if (onlyIf.uploadedAfter === undefined) return true
  return round(object.uploaded) > round(onlyIf.uploadedAfter)
}

await t.test('a condition holds as the steps of HTTP have it', async (t) => {
  const seen = { true: 0, false: 0 }
  fc.assert(
    fc.property(condition, fc.option(object, { nil: undefined }), (onlyIf, object) => {
      const expected = bySteps(onlyIf, object)
      seen[`${expected}`] += 1
      return holds(onlyIf, object) === expected
    }),
    { numRuns: 4000 },
  )
  t.ok(seen.true > 400 && seen.false > 400, JSON.stringify(seen))
  t.equal(holds(undefined, undefined), true)
})

await t.test('as SQL it says the same, for a row and for none', async (t) => {
  const db = new Database(':memory:')
  t.teardown(() => db.close())
  db.exec('CREATE TABLE objects (etag TEXT, uploaded INTEGER)')
  const insert = db.prepare('INSERT INTO objects VALUES (?, ?)')
  const empty = db.prepare('DELETE FROM objects')
  fc.assert(
    fc.property(condition, object, (onlyIf, object) => {
      const values: (string | number)[] = []
      const sql = conditionSql(onlyIf, (value) => (values.push(value), '?'))
      empty.run()
      insert.run(object.etag, object.uploaded)
      const found = db.prepare(`SELECT 1 FROM objects WHERE ${sql.where}`).all(...values)
      return (
        (found.length === 1) === holds(onlyIf, object) && sql.onNone === holds(onlyIf, undefined)
      )
    }),
    { numRuns: 2000 },
  )
  t.same(
    conditionSql(undefined, () => '?'),
    { onNone: true, where: 'TRUE' },
  )
})

await t.test('a condition that cannot be meant is refused', async (t) => {
  const refused: readonly [OnlyIf, RegExp][] = [
    [{ etagMatches: [] }, /onlyIf.etagMatches: got `an empty list`/],
    [{ etagDoesNotMatch: ['aa', '"aa"'] }, /without quotes/],
    [{ etagMatches: 'W/"aa"' }, /without quotes/],
    [{ uploadedBefore: Number.NaN }, /onlyIf.uploadedBefore: got `NaN`/],
    [{ uploadedAfter: 1.5 }, /whole milliseconds/],
  ]
  for (const [onlyIf, message] of refused)
    t.throws(() => checkCondition(onlyIf), { code: 'InvalidArgument', message })
  t.doesNotThrow(() => checkCondition({ etagMatches: '*', uploadedAfter: 0 }))
})
