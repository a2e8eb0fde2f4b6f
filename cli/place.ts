import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { openOffline, type Offline } from '../gateway/offline.ts'
import { EXIT, Fault } from './exit.ts'
import type { Terminal } from './terminal.ts'

/** The two options that every verb with a state has. */
export interface PlaceValues {
  readonly config: string | undefined
  readonly state: string | undefined
}

const DEFAULT_FILE = 'narrowgate.yaml'

/** The configuration file that is meant: the named one, else ./narrowgate.yaml, else none. */
export function configFileOf(config: string | undefined, cwd: string): string | undefined {
  if (config !== undefined) return resolve(cwd, config)
  const file = resolve(cwd, DEFAULT_FILE)
  return existsSync(file) ? file : undefined
}

/** Loads the configuration and finds the state folder. Throws a Fault that lists every problem. */
export async function openPlace(values: PlaceValues, terminal: Terminal): Promise<Offline> {
  const opened = await openOffline({
    configFile: configFileOf(values.config, terminal.cwd),
    state: values.state === undefined ? undefined : resolve(terminal.cwd, values.state),
    env: terminal.env,
    cwd: terminal.cwd,
  })
  if (opened.ok) return opened.offline
  throw new Fault(
    EXIT.no,
    ['the configuration is wrong', ...opened.problems].join('\n  '),
    'narrowgate check lists the problems again once you have mended it',
  )
}

/** The same, where the verb is of no use without what `serve` makes on its first start. */
export async function openExistingPlace(values: PlaceValues, terminal: Terminal): Promise<Offline> {
  const offline = await openPlace(values, terminal)
  if (!existsSync(offline.folder)) {
    throw new Fault(
      EXIT.unreachable,
      `state: there is none at \`${offline.folder}\``,
      'start narrowgate serve once, or name the folder with --state',
    )
  }
  return offline
}
