import fc from 'fast-check'
import t from 'tap'
import { FrameBoundary } from '../../../gateway/wire/frame-boundary.ts'
import { frameOf } from '../../../gateway/wire/websocket-frames.ts'

const SIZES = [0, 1, 125, 126, 127, 65_535, 65_536, 70_000]

t.test('between frames, and only there, another one may stand', async (t) => {
  const frames = fc.array(
    fc.record({ size: fc.constantFrom(...SIZES), fin: fc.boolean(), isClients: fc.boolean() }),
    { minLength: 1, maxLength: 4 },
  )
  const property = fc.property(frames, fc.array(fc.nat({ max: 80_000 })), (each, cuts) => {
    const bytes = each.map(({ size, fin, isClients }) =>
      frameOf({ fin, opcode: 2 }, Buffer.alloc(size, 1), isClients),
    )
    const whole = Buffer.concat(bytes)
    const ends = new Set<number>([0])
    let end = 0
    for (const frame of bytes) ends.add((end += frame.length))
    const places = [...new Set([...cuts.map((cut) => cut % (whole.length + 1)), ...ends])]
    const boundary = new FrameBoundary()
    let at = 0
    for (const place of places.toSorted((a, b) => a - b)) {
      boundary.pass(whole.subarray(at, place))
      at = place
      if (boundary.between !== ends.has(place)) return false
    }
    return true
  })
  t.doesNotThrow(() => fc.assert(property, { numRuns: 200 }))
})
