import type { Test } from 'tap'
import type { ErrorCode } from '../../../gateway/errors.ts'
import { SHAPES } from '../../helpers/shapes.ts'
import type { Shape } from '../../helpers/shapes.ts'
import { refuseCalls, refuseConnects, refuseUpgrades, UPGRADES } from '../refusal-cases.ts'
import type { Case } from '../refusal-cases.ts'
import { wire } from '../suite.ts'
import type { Bench, BenchOptions } from '../suite.ts'

/** A way on which a refusal reaches somebody: a call, a request for a WebSocket, a CONNECT, or a door of our own. */
export type Way = Shape | `upgrade ${Shape}` | 'connect' | 'owner' | 'holder'

export const CALL_WAYS: readonly Way[] = [
  ...SHAPES,
  ...UPGRADES.map((shape) => `upgrade ${shape}` as const),
  'connect',
]

/** Tests of refusals, and what they bring about. */
export interface Proof {
  readonly provokes: readonly (readonly [code: ErrorCode, way: Way])[]
  /** Declares the tests. */
  prove(): void
}

/** A gateway in a certain state, and what it refuses in it. */
export interface Scene {
  readonly name: string
  readonly options?: BenchOptions
  /** Brings about what the options cannot. */
  readonly begin?: (bench: Bench, t: Test) => Promise<void>
  /** Made as calls in every shape, and as requests for a WebSocket where they have no body. */
  readonly calls?: readonly Case[]
  readonly connects?: readonly Case[]
  readonly end?: (bench: Bench, t: Test) => void
}

export function proofOf(scene: Scene): Proof {
  const { name, options, calls = [], connects = [] } = scene
  return {
    provokes: [
      ...calls.flatMap(callWays),
      ...connects.map(({ code }) => [code, 'connect'] as const),
    ],
    prove: () =>
      wire(
        name,
        async (t, bench) => {
          await scene.begin?.(bench, t)
          await refuseCalls(t, bench, calls)
          await refuseUpgrades(t, bench, calls)
          await refuseConnects(t, bench, connects)
          scene.end?.(bench, t)
        },
        options,
      ),
  }
}

function callWays({ code, on = SHAPES, asked }: Case): Proof['provokes'] {
  const upgrades = asked?.body === undefined ? UPGRADES.filter((shape) => on.includes(shape)) : []
  const ways: readonly Way[] = [...on, ...upgrades.map((shape) => `upgrade ${shape}` as const)]
  return ways.map((way) => [code, way] as const)
}

/** For a scene in which nothing may reach an upstream. */
export function nothingSent({ recorder }: Bench, t: Test): void {
  t.same(recorder.connections, [], 'no upstream was dialled')
}
