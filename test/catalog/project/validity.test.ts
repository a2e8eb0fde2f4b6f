import fc from 'fast-check'
import t from 'tap'
import { ProjectionFault } from '../../../catalog/index.ts'
import { damaged, documents, runs } from './documents.ts'
import { compiled, project } from './project.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const everything = compiled({})
const nothing = compiled({ select: ['nowhere'] })
const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 4 })

/** Whether JSON.parse takes the bytes. */
function parses(bytes: Uint8Array): boolean {
  try {
    JSON.parse(decoder.decode(bytes))
    return true
  } catch {
    return false
  }
}

function projects(
  bytes: Uint8Array,
  cut: readonly number[],
  projection: typeof everything,
): boolean {
  try {
    project(bytes, projection, { sizes: cut })
    return true
  } catch (error) {
    if (error instanceof ProjectionFault) return false
    throw error
  }
}

t.test('a document is taken exactly where JSON.parse takes it, selected or not', async (t) => {
  let broken = 0
  fc.assert(
    fc.property(
      fc.oneof(
        damaged,
        documents.map((text) => new Uint8Array(Buffer.from(text))),
      ),
      sizes,
      (bytes, cut) => {
        const wanted = parses(bytes)
        if (!wanted) broken++
        return (
          projects(bytes, cut, everything) === wanted && projects(bytes, cut, nothing) === wanted
        )
      },
    ),
    { numRuns: runs(2000) },
  )
  t.ok(broken > 50, 'many documents are broken')
})

t.test('the shapes that parsers disagree about', async (t) => {
  const texts = [
    '',
    ' ',
    '1 2',
    '01',
    '-',
    '-01',
    '1.',
    '.5',
    '1e',
    '1e+',
    '+1',
    '1E+02',
    '-0',
    'nul',
    'nulll',
    'True',
    'NaN',
    'Infinity',
    '"',
    '"\\x"',
    '"\\u12g4"',
    '"\\u12"',
    '"\t"',
    '"\u007f"',
    "'a'",
    '[1,]',
    '[,1]',
    '[',
    ']',
    '[1}',
    '{]',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{a:1}',
    '{"a" : 1 , "b":2}',
    '{"a":1 "b":2}',
    '[1 2]',
    '\ufeff[]',
    '[]\u00a0',
    '//',
    '[]//',
    '"\u2028"',
    '[1]]',
    '{"a":1}}',
  ]
  const sequences = [
    '22c0ae22',
    '22eda08022',
    '22f0808080',
    '22f490808022',
    '22ff22',
    '22e282',
    '5b22c3225d',
    '22f09f988022',
  ]
  const all = [
    ...texts.map((text) => Buffer.from(text)),
    ...sequences.map((hex) => Buffer.from(hex, 'hex')),
  ]
  const cuts = [[1], [100]]
  const wrong = all.filter((bytes) =>
    cuts.some((cut) => projects(bytes, cut, everything) !== parses(bytes)),
  )
  t.same(
    wrong.map((bytes) => bytes.toString('latin1')),
    [],
  )
})

t.test('a fault names the kind and the byte', async (t) => {
  const fault = (text: string) => {
    try {
      project(text, everything, { sizes: [3] })
    } catch (error) {
      return error
    }
  }
  t.match(fault('[1, 2, x]'), { kind: 'unexpected_byte', offset: 7, code: 'upstream_invalid' })
  t.match(fault('{"a":[1,2'), { kind: 'unexpected_end', offset: 9, code: 'upstream_invalid' })
  t.match(fault('['.repeat(513)), { kind: 'too_deep', offset: 512 })
  t.equal(
    projects(Buffer.from(`${'['.repeat(5000)}${']'.repeat(5000)}`), [64], everything),
    false,
    'what is copied may not be deep',
  )
  t.equal(
    projects(Buffer.from(`{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`), [64], nothing),
    true,
    'what is passed by may be deep',
  )
})
