import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Ledger } from '../../adapters/ledger/port.ts'
import { contractOf, parseJsonBody } from '../../catalog/index.ts'
import { narrowToken, TokenFault, type TokenVerifier } from '../../policy/index.ts'
import { nodeDigests } from '../digests.ts'
import type { DoorAround } from '../holder-door.ts'
import type { ReadReceipt } from '../holder-receipts.ts'
import type { Knock } from '../knock.ts'
import { ledgerOut } from '../owner/record.ts'
import { Refusal, refusal } from '../refusal.ts'
import { findTools } from '../tool-views.ts'
import { checkArgs, type Args } from './args.ts'
import { OWN_TOOLS, type ReadingTool } from './own-tables.ts'
import { jsonResult, RECEIPT, textResult } from './results.ts'

/** What the gateway's own tools need from outside. */
export interface OwnToolPorts {
  readonly readReceipt: ReadReceipt
  readonly verifier: Pick<TokenVerifier, 'verify'>
  readonly ledger: Pick<Ledger, 'event'>
}

/** A call of a tool of the gateway's own. */
export interface OwnCall {
  readonly args: Args
  readonly knock: Knock
  readonly around: DoorAround
  readonly ports: OwnToolPorts
}

/**
 * Answers a call of one of the gateway's own tools that only read, or reckon: no use of the token, and no call of an upstream.
 * @throws Refusal
 */
export async function answerOwn(name: ReadingTool, call: OwnCall): Promise<CallToolResult> {
  checkArgs(call.args, OWN_TOOLS[name].args)
  return ANSWERS[name](call)
}

const ANSWERS: Readonly<Record<ReadingTool, (call: OwnCall) => Promise<CallToolResult>>> = {
  async resolve({ args, knock, around }) {
    const { question, limit } = args as { readonly question: string; readonly limit?: number }
    const rows = new Set(around.callable(await around.standing(knock), knock.door))
    const query = { q: question, ...(limit !== undefined && { limit: String(limit) }) }
    return jsonResult(findTools(around.directory.resolver(), query, (row) => rows.has(row)))
  },

  async read({ args, knock, around }) {
    const rows = around.callable(await around.standing(knock), knock.door)
    const tool = rows.find((row) => row.name === args['tool'])
    if (tool !== undefined) return jsonResult(contractOf(tool))
    throw refusal('not_found', 'tool', {
      got: 'a name without a row that this token could call',
      repair: 'find it with the tool resolve',
    })
  },

  async receipt({ args, knock, ports }) {
    const { id, want } = args as { readonly id: string; readonly want?: string | object }
    const text = typeof want === 'object' ? JSON.stringify(want) : want
    const { body } = await ports.readReceipt(knock, { id, want: text })
    const read = parseJsonBody(body)
    const result = read.ok ? jsonResult(read.value) : textResult(body.toString())
    return { ...result, _meta: { [RECEIPT]: id } }
  },

  async narrow({ args, knock, around, ports }) {
    const { token } = await around.standing(knock)
    const lines = args['caveats'] as readonly string[]
    const { narrowed, link } = narrowedBy(knock.credential!, lines, ports)
    await ports.ledger
      .event({ actor: 'holder', event: 'grant_narrowed', subject: token.id, data: { link, lines } })
      .catch((error: unknown) => {
        throw ledgerOut(error)
      })
    return textResult(narrowed)
  },
}

/** What is wrong with lines is wrong with the request: the token itself holds. */
function narrowedBy(
  credential: string,
  lines: readonly string[],
  { verifier }: OwnToolPorts,
): { readonly narrowed: string; readonly link: string } {
  try {
    const narrowed = narrowToken(credential, lines, nodeDigests)
    return { narrowed, link: verifier.verify(narrowed).link }
  } catch (error) {
    if (!(error instanceof TokenFault)) throw error
    const { axis = 'caveats', line, reason } = error
    throw new Refusal('malformed_request', [
      {
        axis,
        ...(line !== undefined && { caveat: line }),
        got: reason,
        repair: 'write lines as `tools = NAME` or `uses <= 5`; see docs/security.md',
      },
    ])
  }
}
