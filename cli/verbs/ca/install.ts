import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { onPath } from '../../doctor/programs.ts'
import { EXIT, Fault } from '../../exit.ts'
import { PLACE } from '../../options.ts'
import { openExistingPlace } from '../../place.ts'
import type { Terminal } from '../../terminal.ts'
import { defineVerb } from '../../verb.ts'
import { readCa } from './show.ts'

/** A family of systems: where a CA is put, and the program that then rebuilds the store. */
interface SystemStore {
  readonly name: string
  readonly folder: string
  readonly refresh: readonly [program: string, ...args: string[]]
}

/** Alpine does as Debian does. */
const STORES: readonly SystemStore[] = [
  {
    name: 'Debian, Ubuntu, Alpine',
    folder: '/usr/local/share/ca-certificates',
    refresh: ['update-ca-certificates'],
  },
  {
    name: 'Red Hat, Fedora',
    folder: '/etc/pki/ca-trust/source/anchors',
    refresh: ['update-ca-trust', 'extract'],
  },
  { name: 'SUSE', folder: '/etc/pki/trust/anchors', refresh: ['update-ca-certificates'] },
]

/** One thing to do: as a command to read, and as the deed. */
interface Step {
  readonly command: string
  readonly carryOut: () => void
}

function execute([program, ...args]: readonly [string, ...string[]]): Step {
  return {
    command: [program, ...args].join(' '),
    carryOut: () => {
      execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 60_000 })
    },
  }
}

function systemSteps(caFile: string, env: Terminal['env']): readonly Step[] {
  const store = STORES.find(({ folder, refresh }) => existsSync(folder) && onPath(refresh[0], env))
  if (store === undefined) {
    throw new Fault(
      EXIT.no,
      'ca: this system’s certificate store is not one that is known here',
      `add \`${caFile}\` to it by hand (macOS: security add-trusted-cert -d -k /Library/Keychains/System.keychain; Windows: certutil -addstore Root)`,
    )
  }
  const target = join(store.folder, 'narrowgate.crt')
  return [
    { command: `cp ${caFile} ${target}`, carryOut: () => copyFileSync(caFile, target) },
    execute(store.refresh),
  ]
}

function nssSteps(caFile: string, folder: string, env: Terminal['env']): readonly Step[] {
  if (!onPath('certutil', env)) {
    throw new Fault(EXIT.no, 'nssdb: certutil is not on PATH', 'install libnss3-tools or nss-tools')
  }
  const store = `sql:${folder}`
  const make: readonly Step[] = existsSync(join(folder, 'cert9.db'))
    ? []
    : [
        execute(['mkdir', '-p', folder]),
        execute(['certutil', '-d', store, '-N', '--empty-password']),
      ]
  return [
    ...make,
    execute(['certutil', '-d', store, '-A', '-t', 'C,,', '-n', 'narrowgate', '-i', caFile]),
  ]
}

function carryOut(steps: readonly Step[], terminal: Terminal): void {
  for (const step of steps) {
    terminal.err.line(step.command)
    try {
      step.carryOut()
    } catch (error) {
      throw new Fault(
        EXIT.no,
        `ca: \`${step.command}\` failed (${error instanceof Error ? error.message : 'unknown'})`,
        'the system store needs root: sudo narrowgate ca install --state <folder>; --dry-run prints the commands',
      )
    }
  }
}

/** Makes this system, or a browser’s store, trust the CA. */
export const install = defineVerb({
  options: {
    ...PLACE,
    'dry-run': {
      type: 'boolean',
      default: false,
      describe: 'print what would be done, one command a line',
    },
    nssdb: {
      type: 'string',
      requiresArg: true,
      describe: 'a browser’s NSS store instead of the system’s: ~/.pki/nssdb',
    },
  },
  examples: [
    ['--dry-run', 'the commands, to run by hand'],
    ['--nssdb ~/.pki/nssdb', 'Chromium on Linux'],
  ],
  async run(values, terminal) {
    const { caFile } = await openExistingPlace(values, terminal)
    await readCa(caFile)
    const steps =
      values.nssdb === undefined
        ? systemSteps(caFile, terminal.env)
        : nssSteps(caFile, resolve(terminal.cwd, values.nssdb), terminal.env)
    if (values['dry-run']) {
      for (const { command } of steps) terminal.out.line(command)
      return EXIT.ok
    }
    carryOut(steps, terminal)
    terminal.err.line(`${terminal.err.good('installed')} ${caFile}`)
    return EXIT.ok
  },
})
