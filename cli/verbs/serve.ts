import { announceGateway, withdrawGateway } from '../../sidecar/gateway-file.ts'
import { startGateway, type Gateway } from '../../gateway/main.ts'
import { EXIT, Fault } from '../exit.ts'
import { PLACE } from '../options.ts'
import { configFileOf, openPlace, type PlaceValues } from '../place.ts'
import type { Terminal } from '../terminal.ts'
import { defineVerb } from '../verb.ts'

interface ServeValues extends PlaceValues {
  readonly listen: string | undefined
  readonly 'listen-owner': string | undefined
}

interface Started {
  readonly gateway: Gateway
  /** The configured log level leaves out the line that names the addresses. */
  readonly quiet: boolean
}

const TALKATIVE: ReadonlySet<string> = new Set(['info', 'debug', 'trace'])

async function start(values: ServeValues, terminal: Terminal): Promise<Started> {
  const configFile = configFileOf(values.config, terminal.cwd)
  // Reads the configuration once before, so that its problems are told as problems, not as a failed start.
  const place = await openPlace(values, terminal)
  try {
    const gateway = await startGateway({
      ...(configFile === undefined ? {} : { configFile }),
      state: place.folder,
      overrides: { listen: { proxy: values.listen, owner: values['listen-owner'] } },
    })
    return { gateway, quiet: !TALKATIVE.has(place.config.log.level) }
  } catch (error) {
    const next = 'narrowgate doctor says what is in the way'
    throw new Fault(EXIT.no, error instanceof Error ? error.message : String(error), next)
  }
}

function welcome({ addresses, state, caFile }: Gateway, { err }: Terminal): void {
  if (state.made.length > 0) {
    err.line(`${err.good('made')} on this first start, in ${err.bold(state.folder)}:`)
    for (const made of state.made) err.line(`  ${made}`)
  }
  err.line(`${err.good('listening')}  proxy ${addresses.proxy}  owner ${addresses.owner}`)
  err.line(`  CA     ${caFile}`)
  err.line(`  next   ${err.bold('narrowgate run -- curl https://example.com')}`)
}

/** Resolves with the signal that asks for the end; a second one ends the process at once. */
function ending(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(EXIT.internal))
        resolve(signal)
      })
    }
  })
}

function reloadOnHangUp(gateway: Gateway, { err }: Terminal): void {
  process.on('SIGHUP', () => {
    void gateway.reload().then(
      (result) => {
        if (result.ok) return err.line(`${err.good('reloaded')} the configuration`)
        err.line(`${err.bad('kept')} the old configuration; the new one is wrong:`)
        for (const { path, got, repair } of result.problems)
          err.line(`  ${path}: got ${got}; ${repair}`)
      },
      (error: unknown) => err.line(`${err.bad('kept')} the old configuration: ${String(error)}`),
    )
  })
}

/** Starts the gateway and serves until SIGTERM or SIGINT; SIGHUP reads the configuration again. */
export const serve = defineVerb({
  options: {
    ...PLACE,
    listen: {
      type: 'string',
      requiresArg: true,
      describe: 'proxy address: host:port, :port or unix:/path',
    },
    'listen-owner': {
      type: 'string',
      requiresArg: true,
      describe: 'owner address, on loopback by default',
    },
  },
  examples: [
    ['', 'no configuration is needed: the first start makes what it needs'],
    ['--config /etc/narrowgate.yaml --state /var/lib/narrowgate', 'as a service'],
    ['--listen 127.0.0.1:0 --listen-owner 127.0.0.1:0', 'on free ports; stdout names them'],
  ],
  async run(values, terminal) {
    // Before the start: a signal in the midst of it must not be the end of the process.
    const ended = ending()
    const { gateway, quiet } = await start(values, terminal)
    reloadOnHangUp(gateway, terminal)
    announceGateway(gateway.state.folder, { pid: process.pid, ...gateway.addresses })
    if (quiet) terminal.out.line(JSON.stringify({ msg: 'listening', ...gateway.addresses }))
    welcome(gateway, terminal)
    const signal = await ended
    terminal.err.line(`${signal}: finishing what is under way`)
    withdrawGateway(gateway.state.folder, process.pid)
    await gateway.stop()
    return EXIT.ok
  },
})
