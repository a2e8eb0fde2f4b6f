import type { Test } from 'tap'
import { enginesAgree } from './agreement.ts'
import { narrowingNeverWidens } from './narrowing.ts'
import { charactersNeverVerify, editsNeverVerify } from './tampering.ts'
import { usesSumUp } from './uses.ts'

/** What holds of every token and call, each to be tried with any number of cases. */
export const PROPERTIES: Readonly<
  Record<string, (t: Test, cases: number) => void | Promise<void>>
> = {
  'whatever a narrowed token allows, the token it was made from allows': narrowingNeverWidens,
  'no line removed, doubled, moved or edited verifies': editsNeverVerify,
  'no other character anywhere verifies': charactersNeverVerify,
  'the native predicates and Cedar agree': enginesAgree,
  'uses of all tokens made from one sum up to its limit at most': usesSumUp,
}
