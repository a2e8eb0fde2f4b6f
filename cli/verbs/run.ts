import { InvalidRequest } from '../../sidecar/invalid.ts'
import { Unreachable, joinGateway, type Joined } from '../../sidecar/join.ts'
import { grantRun, proxyVariables, type RunGrant } from '../../sidecar/prepare.ts'
import { SpawnFault, runCommand } from '../../sidecar/runner.ts'
import { withoutSecrets } from '../../sidecar/withheld.ts'
import type { Offline } from '../../gateway/offline.ts'
import { EXIT, Fault } from '../exit.ts'
import { GRANT, PLACE, TEMPLATE } from '../options.ts'
import { openPlace, type PlaceValues } from '../place.ts'
import { explainedLine, grantRequest, withoutAxes, type GrantValues } from '../request.ts'
import { summaryLine } from '../summary.ts'
import type { Terminal } from '../terminal.ts'
import { defineVerb } from '../verb.ts'

type Command = readonly [string, ...string[]]

function commandOf(rest: readonly string[] | undefined): Command {
  const [program, ...args] = rest ?? []
  if (program !== undefined) return [program, ...args]
  throw new Fault(
    EXIT.usage,
    'no command is named',
    'put it behind --: narrowgate run -- curl https://example.com',
  )
}

/** Where nothing answers, or a state is in use, the way out is another one for each. */
async function join(place: Offline, named: string | undefined): Promise<Joined> {
  try {
    return await joinGateway(place, named)
  } catch (error) {
    if (error instanceof InvalidRequest) throw error
    if (error instanceof Unreachable) throw new Fault(EXIT.unreachable, error.message)
    throw new Fault(
      EXIT.unreachable,
      `no gateway runs on \`${place.folder}\`, and one cannot be started: ${error instanceof Error ? error.message : String(error)}`,
      'start narrowgate serve on it, which many runs can share, or give this run a --state of its own',
    )
  }
}

function announce(grant: RunGrant, gateway: Joined, { err }: Terminal): void {
  const where = gateway.embedded ? 'its own gateway, for this run' : 'the gateway'
  err.line(err.faint(`narrowgate: behind ${where} at ${gateway.host}:${gateway.port}, with`))
  const width = Math.max(0, ...grant.lines.map((line) => line.length))
  for (const line of grant.lines) {
    const origin = grant.defaulted.includes(line) ? 'default' : 'asked  '
    err.line(err.faint(`  ${origin}  ${explainedLine(line, width)}`))
  }
}

async function runBehind(
  command: Command,
  { place, gateway, grant }: { place: Offline; gateway: Joined; grant: RunGrant },
  terminal: Terminal,
): Promise<number> {
  const { env, withheld } = withoutSecrets(terminal.env, place.config)
  if (withheld.length > 0) {
    terminal.err.line(
      terminal.err.faint(`narrowgate: withheld from the command: ${withheld.join(', ')}`),
    )
  }
  const variables = proxyVariables(place, { gateway, token: grant.token, own: env })
  try {
    return await runCommand(command, { env: { ...env, ...variables } })
  } catch (error) {
    if (error instanceof SpawnFault) throw new Fault(error.exit, error.message)
    throw error
  }
}

/** Runs a command behind the gateway. The exit code is the command's own; 128 and the signal where one ended it. */
export const run = defineVerb({
  options: {
    ...PLACE,
    ...GRANT,
    ...TEMPLATE,
    gateway: {
      type: 'string',
      requiresArg: true,
      describe:
        'http://host:port of a gateway on the same state; by default the one that runs, else a new one',
    },
  },
  examples: [
    ['-- curl https://api.github.com/zen', 'with the run template: HTTP_*, 2h, 1000 uses'],
    [
      '--tools HTTP_GET --expires 15m -- python3 agent.py',
      'reading only, for a quarter of an hour',
    ],
    ['--without uses -- npm ci', 'no limit of calls'],
  ],
  async run(values, terminal) {
    const command = commandOf(values['--'])
    const request = {
      asked: grantRequest(values satisfies GrantValues, undefined),
      without: withoutAxes(values.without),
      by: 'run',
    }
    const place = await openPlace(values satisfies PlaceValues, terminal)
    const gateway = await join(place, values.gateway)
    let exit: number = EXIT.internal
    let grant: RunGrant | undefined
    try {
      grant = await grantRun(place, request)
      announce(grant, gateway, terminal)
      exit = await runBehind(command, { place, gateway, grant }, terminal)
    } finally {
      await gateway.stop()
      if (grant !== undefined) {
        terminal.err.line(await summaryLine(place, grant, values.state))
      }
    }
    return exit
  },
})
