import type { Test } from 'tap'
import { nodeDigests } from '../../../gateway/digests.ts'
import {
  type Ask,
  createCedarEngine,
  createDecider,
  mintToken,
  verifyToken,
} from '../../../policy/index.ts'
import { askOf, KEY, loadFreshCedar } from '../support.ts'

// What harms the second engine or means something of its own to it, put everywhere in a call that a
// caller chooses: nothing is allowed, the engines agree, and the engine that began is the one that ends.

const deep = (open: string, close: string) =>
  JSON.parse(`${open.repeat(300)}null${close.repeat(300)}`) as unknown

/** Values of one kind, different at each count where a text can be, so that no verdict is remembered. */
const HOSTILE: Readonly<Record<string, (count: number) => unknown>> = {
  'the first half of a surrogate pair': (count) => `A${count}\ud800`,
  'the second half of one': (count) => `\udfff${count}`,
  'lists 300 deep': () => deep('[', ']'),
  'objects 300 deep': () => deep('{"a":', '}'),
  null: () => null,
  'a fraction': () => 1.5,
  'a huge number': () => 1e300,
  'an entity of Cedar': (count) => ({ __entity: { type: 'Holder', id: `A${count}` } }),
  'a call of Cedar': (count) => ({ __extn: { fn: 'decimal', arg: `${count % 9}.0` } }),
}

// The largest texts that a call may carry, and few of them: each is ten million characters.
const LARGE: Readonly<Record<string, (count: number) => unknown>> = {
  'ten million letters': (count) => 'A'.repeat(10 * 2 ** 20) + count,
  'ten million bytes of pairs': (count) => '😀'.repeat(2.5 * 2 ** 20) + count,
}
const LARGE_REQUESTS = 50

const LINES = [
  'tools = X',
  'ways = proxy',
  'task = T-7',
  'person = p_1',
  'area = /src',
  'model = m*',
  'arg X.n prefix v',
  'arg X.a = A',
  'arg X.a glob A*',
  'arg X.b.c in A,B',
  'arg X.d <= 1',
]

const args = { a: 'A', b: { c: ['A', 'B'] }, d: 1 }

/** A call that every line allows, and no two of which ask the engine the same. */
function goodCall(count: number): Ask {
  return askOf({
    tool: 'X',
    task: 'T-7/3',
    person: 'p_1',
    args: { ...args, n: `v${count}` },
    paths: { kind: 'values', values: ['/src/a'] },
    model: { kind: 'values', values: ['m-1'] },
  })
}

/** The good call with something else in one place. */
const PLACES: readonly ((call: Ask, value: unknown) => unknown)[] = [
  (call, value) => ({ ...call, tool: value }),
  (call, value) => ({ ...call, way: value }),
  (call, value) => ({ ...call, task: value }),
  (call, value) => ({ ...call, person: value }),
  (call, value) => ({ ...call, paths: { kind: 'values', values: ['/src/a', value] } }),
  (call, value) => ({ ...call, model: { kind: 'values', values: ['m-1', value] } }),
  (call, value) => ({ ...call, args: { ...call.args, a: value } }),
  (call, value) => ({ ...call, args: { ...call.args, a: ['A', value] } }),
  (call, value) => ({ ...call, args: { ...call.args, b: { c: value } } }),
  (call, value) => ({ ...call, args: { ...call.args, b: value } }),
  (call, value) => ({ ...call, args: { ...call.args, d: value } }),
]

function tryAll(hostile: (count: number) => unknown, requests: number) {
  const seen = { loads: 0, allowed: 0, disagreed: 0, dead: 0 }
  const cedar = createCedarEngine({
    loadCedar() {
      seen.loads++
      return loadFreshCedar()
    },
  })
  const decider = createDecider({ cedar, metrics: { disagreement: () => seen.disagreed++ } })
  const digests = nodeDigests
  const token = verifyToken(mintToken(KEY, 'g_1', LINES, digests), [KEY], { digests })
  for (let count = 0; count < requests; count++) {
    const good = goodCall(count)
    const call = PLACES[count % PLACES.length]?.(good, hostile(count)) as Ask
    if (decider.judge(token, call).allow) seen.allowed++
    if (count % 10 === 0 && !decider.judge(token, good).allow) seen.dead++
  }
  cedar.selfTest()
  return seen
}

const SOUND = { loads: 1, allowed: 0, disagreed: 0, dead: 0 }

/** Tries each kind of hostile value; the largest with fifty requests at most. */
export function tryHostile(t: Test, requests: number): void {
  for (const [name, hostile] of Object.entries(HOSTILE)) {
    void t.test(name, async (t) => {
      t.same(tryAll(hostile, requests), SOUND)
    })
  }
  for (const [name, hostile] of Object.entries(LARGE)) {
    void t.test(name, async (t) => {
      t.same(tryAll(hostile, Math.min(requests, LARGE_REQUESTS)), SOUND)
    })
  }
}
