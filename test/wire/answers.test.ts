import t from 'tap'
import { finish } from '../helpers/shapes.ts'
import type { Shape } from '../helpers/shapes.ts'
import { HOSTILE } from './probes/answers.ts'
import type { Answering } from './recorder.ts'
import { wire } from './suite.ts'
import type { Bench } from './suite.ts'

// The path says which answer is wanted; every other request gets a good one on a connection that may be kept.
const GOOD = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood'

const answer: Answering = ({ first }) => {
  const row = /\/hostile-(\d+)-/.exec(first)?.[1]
  const hostile = row === undefined ? undefined : HOSTILE[Number(row)]
  if (hostile === undefined) return { bytes: GOOD }
  // Only a hang-up ends a body that is too short; the other connections stay open, as if fit for more.
  return { bytes: hostile.bytes, end: hostile.sees === 'cut' }
}

const SHAPES: readonly Shape[] = ['absolute', 'tunnel-h1', 'tunnel-h2', 'tunnel-clear', 'mount']

async function seenOf(bench: Bench, shape: Shape, row: number): Promise<string> {
  const path = `/hostile-${row}-${shape}`
  const live = await bench.gateway.open(shape, { token: bench.token, path }).catch(() => undefined)
  if (live === undefined) return 'cut'
  const got = await finish(live)
  const code = got.header('refused')
  if (got.text.includes('evil')) return 'evil'
  if (code !== undefined)
    return got.status === 502 && code === 'upstream_invalid' ? 'invalid' : code
  return got.whole ? 'whole' : 'cut'
}

wire(
  'hostile answers',
  async (t, bench) => {
    const { gateway, recorder, token } = bench
    for (const [row, { name, sees }] of HOSTILE.entries()) {
      const found: Record<string, string> = {}
      const walk = async (shape: Shape) => {
        found[shape] = await seenOf(bench, shape, row)
        const next = await gateway.ask(shape, { token, path: `/good-${row}-${shape}` })
        if (next.status !== 200 || next.text !== 'good') found[shape] += `, then ${next.status}`
      }
      await Promise.all(SHAPES.map(walk))
      // What is wrong behind a head may be known before the head is passed on, or after.
      const fine = Object.values(found).every(
        (seen) => seen === sees || (sees === 'cut' && seen === 'invalid'),
      )
      t.ok(fine, `${name}: ${JSON.stringify(found)}`)
    }
    const reused = recorder.connections.filter(
      ({ requests }) =>
        requests.findIndex(({ first }) => first.includes('/hostile-')) < requests.length - 1 &&
        requests.some(({ first }) => first.includes('/hostile-')),
    )
    t.same(
      reused.map(({ bytes }) => bytes),
      [],
      'no connection was used again behind such an answer',
    )
    t.same(
      recorder.connections.map(({ fault }) => fault).filter(Boolean),
      [],
      'what came was clean',
    )
  },
  { answer },
)

t.ok(HOSTILE.length > 50, 'the table was read')
