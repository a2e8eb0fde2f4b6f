import { existsSync } from 'node:fs'
import { openOffline } from '../../gateway/offline.ts'
import { failed, why, type Finding, type Result } from '../doctor/finding.ts'
import { agentEnvironment, checkCalls, checkLedger, checkTrust } from '../doctor/flow.ts'
import { checkGrants, checkIndex } from '../doctor/grants.ts'
import { checkServers } from '../doctor/servers.ts'
import { checkCedar, checkClock, checkPorts, checkState } from '../doctor/machine.ts'
import { EXIT } from '../exit.ts'
import { startLab } from '../lab/lab.ts'
import { JSON_OUTPUT, PLACE } from '../options.ts'
import { openPlace, type PlaceValues } from '../place.ts'
import { printable } from '../table.ts'
import type { Screen, Terminal } from '../terminal.ts'
import { defineVerb } from '../verb.ts'

type Tell = (findings: readonly Finding[]) => void

/** What can be seen of this machine and of the state, without changing either. */
async function examinePlace(values: PlaceValues, terminal: Terminal, tell: Tell): Promise<void> {
  try {
    const place = await openPlace(values, terminal)
    tell(await checkClock(place))
    tell(await checkState(place))
    tell(await checkPorts(place))
    tell(await checkGrants(place))
    tell(await checkIndex(place))
    tell(checkServers(place, terminal))
    if (existsSync(place.ledgerFolder)) tell(await checkLedger('ledger', place.ledgerFolder))
  } catch (error) {
    tell([failed('configuration', why(error), 'narrowgate check lists its problems')])
  }
}

/** The whole way, in a temporary folder with a gateway of its own. */
async function examineFlow(terminal: Terminal, tell: Tell): Promise<void> {
  try {
    const lab = await startLab(terminal.env)
    try {
      const opened = await openOffline({
        configFile: `${lab.folder}/narrowgate.yaml`,
        state: lab.state,
        env: terminal.env,
        cwd: lab.folder,
      })
      if (!opened.ok) throw new Error(opened.problems.join('; '))
      const env = await agentEnvironment(lab, opened.offline)
      tell(await checkCalls(lab, env))
      tell(await checkTrust(lab, env))
      tell(await checkLedger('ledger of the calls', opened.offline.ledgerFolder))
    } finally {
      await lab.stop()
    }
  } catch (error) {
    tell([
      failed(
        'gateway',
        why(error),
        'a gateway cannot be started in a temporary folder: mend what it says',
      ),
    ])
  }
}

const MARKS: Readonly<Record<Result, (screen: Screen) => string>> = {
  ok: ({ good }) => good('ok      '),
  failed: ({ bad }) => bad('failed  '),
  unproven: ({ warn }) => warn('unproven'),
}

function print({ subject, result, seen, repair }: Finding, out: Screen): void {
  out.line(`${MARKS[result](out)}  ${subject.padEnd(20)}  ${printable(seen)}`)
  if (repair !== undefined) out.line(`${' '.repeat(32)}${out.faint('→')} ${repair}`)
}

/** Checks everything that has to be right; exit 1 where anything failed. */
export const doctor = defineVerb({
  options: { ...PLACE, ...JSON_OUTPUT },
  examples: [['', 'each finding: ok, failed or unproven, with its repair']],
  async run(values, terminal) {
    const findings: Finding[] = []
    const tell: Tell = (found) => {
      findings.push(...found)
      if (!values.json) for (const finding of found) print(finding, terminal.out)
    }
    await examinePlace(values, terminal, tell)
    tell(await checkCedar())
    await examineFlow(terminal, tell)
    if (values.json) terminal.out.line(JSON.stringify(findings))
    return findings.some(({ result }) => result === 'failed') ? EXIT.no : EXIT.ok
  },
})
