import { inspect } from 'node:util'
import t from 'tap'
import { type Ask, createCedarEngine, parseCaveat, TokenFault } from '../../../policy/index.ts'
import { createSecondOpinion } from '../../../policy/cedar/second-opinion.ts'
import { judgeLines } from '../../../policy/judge.ts'
import { askOf } from '../support.ts'

/** What is said of one axis: lines, and calls by a name that tells what is tried. */
interface Table {
  /** Lines that parse. */
  readonly good: readonly string[]
  /** Lines that do not, each with a part of the reason. */
  readonly bad: readonly (readonly [line: string, reason: RegExp])[]
  /** Under each line: calls that it lets through, and calls that it refuses. */
  readonly judged: readonly Case[]
}

interface Case {
  readonly line: string
  readonly holds?: readonly Partial<Ask>[]
  readonly refuses?: readonly Partial<Ask>[]
  /** The code of the refusals. */
  readonly code?: string
}

const secondOpinion = createSecondOpinion(createCedarEngine())

/** Tests one axis, in both engines. */
export function testAxis(table: Table): void {
  for (const line of table.good) t.equal(parseCaveat(line).line, line, `parses: ${line}`)
  for (const [line, reason] of table.bad) {
    t.throws(
      () => parseCaveat(line),
      { name: 'TokenFault', stage: 'caveat', code: 'token_unknown_caveat', reason },
      `does not parse: ${line}`,
    )
    t.throws(() => parseCaveat(line), TokenFault)
  }
  for (const { line, holds = [], refuses = [], code } of table.judged) {
    const caveats = [parseCaveat(line)]
    for (const over of holds) {
      const judged = judgeLines(caveats, askOf(over), secondOpinion)
      t.same(judged, { allow: true, reasons: [], disagreement: false }, named(line, 'holds', over))
    }
    for (const over of refuses) {
      const judged = judgeLines(caveats, askOf(over), secondOpinion)
      t.notOk(judged.allow, named(line, 'refuses', over))
      t.notOk(judged.disagreement, named(line, 'both engines refuse', over))
      t.match(judged.reasons, [{ code, caveat: line, got: /./, repair: /./ }])
    }
  }
}

function named(line: string, what: string, over: Partial<Ask>): string {
  return `${line}: ${what} ${inspect(over, { breakLength: Infinity }).slice(0, 120)}`
}

/** An argument of the tool X. */
export function withArg(value: unknown): Partial<Ask> {
  return { tool: 'X', args: { a: value } }
}

export function withPaths(...values: readonly unknown[]): Partial<Ask> {
  return { paths: { kind: 'values', values } }
}

export function withModels(...values: readonly unknown[]): Partial<Ask> {
  return { model: { kind: 'values', values } }
}
