import { VERSION } from '../gateway/version.ts'
import { EXIT, Fault } from './exit.ts'
import { createParser, explainUsage } from './parser.ts'
import { STDIN } from './stdin.ts'
import type { Terminal } from './terminal.ts'
import { VERBS } from './verbs.ts'

/** Errors of other folders whose text is made for people, by name, with the exit code that they mean. */
const KNOWN: Readonly<Record<string, number>> = {
  InvalidRequest: EXIT.usage,
  TokenFault: EXIT.no,
  DatabaseUnavailable: EXIT.unreachable,
}

/** Says what went wrong, why, and what to do next; only a defect has a stack, and only when asked. */
function report(error: unknown, { err, env }: Terminal): number {
  const known =
    error instanceof Fault ? error.exit : error instanceof Error ? KNOWN[error.name] : undefined
  err.line(`${err.bad('narrowgate:')} ${error instanceof Error ? error.message : String(error)}`)
  if (error instanceof Fault && error.next !== undefined) err.line(`  ${error.next}`)
  if (known !== undefined) return known
  if ((env['NARROWGATE_DEBUG'] ?? '') !== '' && error instanceof Error) err.line(error.stack)
  else err.line('  this is a defect; NARROWGATE_DEBUG=1 shows where it is')
  return EXIT.internal
}

/** yargs takes a lone dash for an option without a name, and hands on an empty text. */
function spelledOut(argv: readonly string[]): string[] {
  const end = argv.indexOf('--')
  return argv.map((arg, at) => (arg === '-' && (end < 0 || at < end) ? STDIN : arg))
}

/** yargs throws some of its complaints where verbs are loaded as they are named. */
function isUsage(error: unknown): error is Error {
  return error instanceof Error && error.name === 'YError'
}

function usageFault({ message }: Error): Fault {
  return new Fault(EXIT.usage, explainUsage(message, []), 'see narrowgate --help')
}

/** Runs one command line and gives its exit code. It never rejects. */
export async function runProgram(argv: readonly string[], terminal: Terminal): Promise<number> {
  let exit: number = EXIT.ok
  const done = (code: number): void => {
    exit = code
  }
  try {
    const parser = createParser(VERBS, { version: VERSION, terminal, done })
    await parser.parseAsync(spelledOut(argv), {}, (_error, _values, help) => {
      if (help !== '') terminal.out.line(help)
    })
    return exit
  } catch (error) {
    return report(isUsage(error) ? usageFault(error) : error, terminal)
  }
}
