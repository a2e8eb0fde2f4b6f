import { Refusal } from '../gateway/refusal.ts'
import { EXIT, Fault } from './exit.ts'

interface Reason {
  readonly axis: string
  readonly got: string
  readonly repair: string
}

/** What a question names and the ledger does not have, one line for each. */
export function questionFault(reasons: readonly Reason[], next: string): Fault {
  const lines = reasons.map(({ axis, got, repair }) => `${axis}: got ${got}; ${repair}`)
  return new Fault(EXIT.usage, ['the question cannot be asked', ...lines].join('\n  '), next)
}

/** Turns the refusal of a question into a fault of the command line. */
export async function asking<T>(answer: Promise<T>, next: string): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw error instanceof Refusal ? questionFault(error.reasons, next) : error
  }
}
