import type { Lab } from '../lab/lab.ts'
import { shell, type Ran } from '../lab/shell.ts'
import type { Screen } from '../terminal.ts'

/** Tells the demonstration: each command is shown as it is typed, run, and its output indented. */
export interface Teller {
  /** Begins a numbered step. */
  step(title: string): void
  say(text: string): void
  /** Shows a command and runs it in the lab's shell. */
  command(
    line: string,
    options?: { readonly input?: string; readonly quiet?: boolean },
  ): Promise<Ran>
  /** Prints what was looked for, and counts it where it was not seen. */
  check(holds: boolean, text: string): void
  failures(): number
}

const WIDEST = 160
const LONGEST = 14

function indented(text: string): readonly string[] {
  const lines = text.trimEnd().split('\n')
  const cut =
    lines.length > LONGEST
      ? [...lines.slice(0, LONGEST), `… ${lines.length - LONGEST} more lines`]
      : lines
  return cut.map((line) => `     ${line.length > WIDEST ? `${line.slice(0, WIDEST)}…` : line}`)
}

export function createTeller(out: Screen, lab: Lab): Teller {
  let steps = 0
  let failures = 0
  return {
    step(title) {
      steps += 1
      out.line()
      out.line(`${out.bold(`${steps}. ${title}`)}`)
    },
    say: (text) => out.line(`   ${text}`),
    async command(line, { input = '', quiet = false } = {}) {
      out.line(`   ${out.faint('$')} ${line}`)
      const ran = await shell(line, { cwd: lab.folder, env: lab.env, input })
      const text = (quiet ? ran.stdout : ran.output).trim()
      if (text !== '') for (const row of indented(text)) out.line(row)
      return ran
    },
    check(holds, text) {
      if (!holds) failures += 1
      out.line(`   ${holds ? out.good('✓') : out.bad('✗')} ${text}`)
    },
    failures: () => failures,
  }
}
