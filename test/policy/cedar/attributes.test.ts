import t from 'tap'
import type { Ask } from '../../../policy/index.ts'
import * as shared from '../../../policy/cedar/attributes.ts'
import { askOf } from '../support.ts'

const { TOOL, WAY, PERSON, TASK, NOW, RUNS_CODE, PATHS, PATH, MODELS, MODEL } = shared
const HALF = 'a\ud800'
const values = (...found: readonly unknown[]) => ({ kind: 'values', values: found }) as const

/** What the engine gets of a call: nothing that could harm it or mean something of its own to it. */
const READS: readonly (readonly [
  attribute: typeof TOOL,
  over: Partial<Record<keyof Ask, unknown>>,
  found: readonly unknown[],
])[] = [
  [TOOL, { tool: 'A' }, ['A']],
  [TOOL, { tool: '' }, ['']],
  [TOOL, { tool: HALF }, []],
  [TOOL, { tool: 'a'.repeat(256) }, ['a'.repeat(256)]],
  [TOOL, { tool: 'a'.repeat(257) }, []],
  [TOOL, { tool: { __entity: {} } }, []],
  [WAY, { way: 'mcp' }, ['mcp']],
  [WAY, { way: HALF }, []],
  [WAY, { way: 5 }, []],
  [PERSON, {}, []],
  [PERSON, { person: 'p' }, ['p']],
  [PERSON, { person: HALF }, []],
  [PERSON, { person: null }, []],
  [TASK, {}, []],
  [TASK, { task: 'T/1' }, ['T/1']],
  [TASK, { task: 'T/../S' }, ['']],
  [TASK, { task: '' }, ['']],
  [TASK, { task: HALF }, ['']],
  [TASK, { task: 5 }, ['']],
  [NOW, { now: 5 }, [5]],
  [NOW, { now: 5.9 }, [5]],
  [NOW, { now: -0.5 }, [-1]],
  [NOW, { now: Number.NaN }, []],
  [NOW, { now: Infinity }, []],
  [NOW, { now: 2 ** 53 }, []],
  [RUNS_CODE, { runsCode: true }, [true]],
  [RUNS_CODE, { runsCode: false }, [false]],
  [PATHS, { paths: { kind: 'unknown' } }, ['unknown']],
  [PATH, { paths: { kind: 'unknown' } }, []],
  [PATH, { paths: { kind: 'none' } }, []],
  [PATH, { paths: values('/a/./b', '/%2e', 5, HALF) }, ['/a/b', undefined, undefined, undefined]],
  [PATH, { paths: values() }, []],
  [MODELS, { model: { kind: 'none' } }, ['none']],
  [MODELS, { model: values('m') }, ['values']],
  [MODEL, { model: values('m', 'm'.repeat(257), null) }, ['m', undefined, undefined]],
  [MODEL, { model: { kind: 'none' } }, []],
]

for (const [attribute, over, found] of READS) {
  const read = attribute.read({ ...askOf(), ...over } as Ask)
  t.strictSame(read, found, `${attribute.key}: ${JSON.stringify(over)}`)
}

t.test('each has a name of its own, and the clock alone is timed', async (t) => {
  const keys = Object.values(shared).map(({ key }) => key)
  t.strictSame(keys.toSorted(), [
    'model',
    'models',
    'now',
    'path',
    'paths',
    'person',
    'runs',
    'task',
    'tool',
    'way',
  ])
  const timed = Object.values(shared).filter((attribute) => attribute.timed === true)
  t.strictSame(
    timed.map(({ key }) => key),
    ['now'],
  )
})
