import type { Ask } from './ask.ts'
import type { Caveat } from './caveat.ts'

/** A call of which nothing but the tool is asked. */
const BARE: Omit<Ask, 'tool'> = {
  target: '',
  way: 'rest',
  now: 0,
  args: {},
  paths: { kind: 'none' },
  model: { kind: 'none' },
  runsCode: false,
}

/** Whether the `tools` lines among these allow a tool. What other lines say is asked of a call, and not of a name. */
export function mayNameTool(caveats: readonly Caveat[], tool: string): boolean {
  return caveats.every(
    ({ axis, clause }) => axis !== 'tools' || clause.refuses({ ...BARE, tool }) === undefined,
  )
}
