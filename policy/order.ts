import { TokenFault } from './faults.ts'
import type { Caveat } from './read-caveat.ts'
import { isTaskWithin } from './tasks.ts'

/**
 * Reads the lines of a token in their order; the first fault counts. Besides each line's own
 * grammar: nothing follows `delegate = no`, `keys` stands first, a task only goes deeper.
 * @throws TokenFault of the stage `delegate` or `caveat`
 */
export function readInOrder(
  lines: readonly string[],
  read: (line: string) => Caveat,
): readonly Caveat[] {
  const caveats: Caveat[] = []
  let task: string | undefined
  let ended = false
  for (const line of lines) {
    // Before it is parsed: whatever stands there may not stand there.
    if (ended) throw notDelegable(line)
    const caveat = read(line)
    if (caveat.axis === 'keys' && caveats.length > 0) throw keysMisplaced(line)
    const facts = caveat.clause.facts
    if (facts?.task !== undefined) {
      if (task !== undefined && !isTaskWithin(facts.task, task)) throw taskLeaves(line, task)
      task = facts.task
    }
    if (facts?.delegable === false) ended = true
    caveats.push(caveat)
  }
  return caveats
}

function notDelegable(line: string): TokenFault {
  return new TokenFault(
    'delegate',
    'a line follows `delegate = no`; use the token as it was before that line was added',
    { line },
  )
}

/** The fault of a `keys` line that a holder added, or that was minted out of its place. */
export function keysMisplaced(line: string): TokenFault {
  return new TokenFault(
    'caveat',
    'a keys line may only be the first line, where mint puts it; mint a token for that person',
    { axis: 'keys', line, code: 'keys_misplaced' },
  )
}

function taskLeaves(line: string, task: string): TokenFault {
  return new TokenFault(
    'caveat',
    `the line leaves the task \`${task}\`; name that task again or one below it`,
    { axis: 'task', line },
  )
}
