import type { CedarContext } from './context.ts'
import type { CedarInstance } from './instance.ts'
import { all, decimal, pattern, quote } from './text.ts'

const POLICY = `permit (principal, action, resource) when { ${all([
  `context.n.lessThanOrEqual(${decimal('1.5000')})`,
  `context.s like ${pattern(['a*', ''])}`,
  `context.t != ${quote('"\\\u{1f600}')}`,
])} };`

const GOOD: CedarContext = { n: number('1.5000'), s: 'a*b', t: 'x' }

/** Contexts of which each breaks one condition. */
const BAD: readonly CedarContext[] = [
  { ...GOOD, n: number('1.5001') },
  { ...GOOD, s: 'ab' },
  { ...GOOD, t: '"\\\u{1f600}' },
]

/** @throws Error where the instance gives a wrong answer or none */
export function testInstance(instance: CedarInstance): void {
  if (!instance.allows(POLICY, GOOD)) throw unsound('refuses what it must allow')
  if (BAD.some((context) => instance.allows(POLICY, context))) {
    throw unsound('allows what it must refuse')
  }
  if (!seesErrors(instance)) throw unsound('does not report a missing attribute')
}

function seesErrors(instance: CedarInstance): boolean {
  try {
    instance.allows(POLICY, {})
    return false
  } catch {
    return true
  }
}

function unsound(what: string): Error {
  return new Error(`cedar: the engine ${what}; start the process anew, or reinstall the package`)
}

function number(text: string): CedarContext[string] {
  return { __extn: { fn: 'decimal', arg: text } }
}
