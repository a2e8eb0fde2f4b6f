import { TokenFault, createBuildKey, verifyToken, type BuildKey } from '../../../policy/index.ts'
import { EXIT, Fault } from '../../exit.ts'
import { linesOf, type Line } from '../../stdin.ts'
import type { Terminal } from '../../terminal.ts'
import { defineVerb } from '../../verb.ts'

/** One answer of the protocol: form, chain and grammar are judged, not the clock. */
type Verdict =
  | { readonly verdict: 'accept'; readonly id: string; readonly caveats: readonly string[] }
  | { readonly verdict: 'refuse'; readonly stage: TokenFault['stage']; readonly reason: string }

const LONGEST_LINE = 16 * 1024 * 1024

function refuse(reason: string): Verdict {
  return { verdict: 'refuse', stage: 'format', reason }
}

function tokenOf(line: Line): string | undefined {
  if ('tooLong' in line) return undefined
  try {
    const value: unknown = JSON.parse(line.text)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

/** Judges one line. It never throws: what is no JSON string is refused like any other malformed token. */
export function judgeLine(line: Line, key: BuildKey): Verdict {
  const token = tokenOf(line)
  if (token === undefined) return refuse('the line is not one JSON string')
  try {
    const { id, lines } = verifyToken(token, [key])
    return { verdict: 'accept', id, caveats: lines }
  } catch (error) {
    if (error instanceof TokenFault) {
      return { verdict: 'refuse', stage: error.stage, reason: error.reason }
    }
    throw error
  }
}

function keyOf(env: Terminal['env']): BuildKey {
  const text = env['NARROWGATE_BUILD_KEY'] ?? ''
  if (text === '') {
    throw new Fault(
      EXIT.usage,
      'NARROWGATE_BUILD_KEY is not set, so no chain can be checked',
      'set it to the text of the build key',
    )
  }
  try {
    return createBuildKey(text)
  } catch (error) {
    throw new Fault(
      EXIT.usage,
      `NARROWGATE_BUILD_KEY: ${error instanceof Error ? error.message : 'unusable'}`,
    )
  }
}

/** Answers one JSON object per line of stdin, in order. Exit 0 whatever the verdicts are. */
export const verify = defineVerb({
  options: {
    stdin: {
      type: 'boolean',
      demandOption: true,
      describe: 'read tokens from stdin, one JSON string per line',
    },
  },
  examples: [['--stdin < tokens.jsonl', 'NARROWGATE_BUILD_KEY holds the key']],
  async run(_values, terminal) {
    const key = keyOf(terminal.env)
    for await (const line of linesOf(terminal.stdin as AsyncIterable<Buffer>, LONGEST_LINE)) {
      terminal.out.line(JSON.stringify(judgeLine(line, key)))
    }
    return EXIT.ok
  },
})
