import t from 'tap'
import { placeIn, utf8Length } from '../../../../policy/cedar/guardrails/position.ts'

t.test('lines and columns begin with 1, columns in UTF-16 units', async (t) => {
  const text = 'a\u00e9\u{1f600}b\n\ncd\n'
  const places: readonly (readonly [byte: number, place: string])[] = [
    [0, '1:1'],
    [1, '1:2'],
    [3, '1:3'],
    [7, '1:5'],
    [8, '1:6'],
    [9, '2:1'],
    [10, '3:1'],
    [11, '3:2'],
    [13, '4:1'],
  ]
  for (const [byte, place] of places) t.equal(placeIn(text, byte).text, place, `byte ${byte}`)
  t.strictSame(placeIn(text, 11), { line: 3, column: 2, text: '3:2' })
  t.strictSame([utf8Length(''), utf8Length(text)], [0, 13])
})
