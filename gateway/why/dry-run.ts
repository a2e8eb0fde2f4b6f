import { writtenJson } from '../../catalog/index.ts'
import type { Exchange } from '../knock.ts'
import type { Ports } from '../ports.ts'
import type { ReadingBudget } from '../reading-budget.ts'
import { judgeDry } from './explain.ts'

/**
 * The decision on a call in place of the call: that of `why`, for whoever holds the token. What the policy engine has to read anew
 * for it is of the grant's budget all the same.
 */
export function createDryRun(ports: Ports, readings: ReadingBudget): Exchange {
  return async (knock) => {
    const { verdict, notes } = await judgeDry(knock, ports, (token, notes) => {
      notes.reading = (length) => readings.spend(token.id, length)
    })
    const { headers } = notes.snapshot.config
    const { call } = notes
    const document = {
      dry_run: true,
      ...verdict,
      ...(call === undefined ? {} : { tool: call.tool.name, args: call.ask.args }),
    }
    const text = notes.snapshot.keyring.redactor.redactText(writtenJson(document))
    const fields = ['content-type', 'application/json', 'cache-control', 'no-store']
    return {
      status: 200,
      headers: [...fields, headers.head, ports.ledger.head().hash],
      body: Buffer.from(`${text}\n`),
    }
  }
}
