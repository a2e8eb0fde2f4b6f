import { testEngine } from '../helpers/engine.ts'

/** A way in which a gateway is started for the suite: what its configuration says besides the suite's own. */
export interface Engine {
  readonly name: string
  readonly config: object
}

/**
 * Every engine has to pass the whole suite: what is refused must not depend on who reads the bytes. One runs at a
 * time; test/long/wire-general.test.ts has the other one.
 */
export const ENGINES: readonly Engine[] = [{ name: testEngine, config: { engine: testEngine } }]
