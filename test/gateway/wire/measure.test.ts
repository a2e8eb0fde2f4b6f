import { createHash } from 'node:crypto'
import t from 'tap'
import { createMeasure } from '../../../gateway/wire/measure.ts'

t.test('totals are of all bytes so far, and more may follow', async (t) => {
  const measure = createMeasure()
  for (const [i, text] of ['', 'ab', 'abc'].entries()) {
    if (i > 0) measure.update(Buffer.from(text.slice(-1).padStart(i === 1 ? 2 : 1, 'a')))
    t.same(measure.totals(), {
      bytes: text.length,
      sha256: createHash('sha256').update(text).digest('hex'),
    })
  }
})
