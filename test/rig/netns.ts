import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'

/**
 * Three network namespaces in a row, joined by two virtual cables:
 *
 *     client ── gateway ── upstream
 *
 * The client has no route beyond the gateway, so a program that goes round the proxy reaches nothing,
 * and no address is a loopback one, since some programs go round a proxy for 127.x. Nothing is added to
 * the namespace of the tests themselves, so that many rigs run at once on the same addresses.
 */
export interface Network {
  /** Where the gateway's proxy listens, as the client sees it. */
  readonly proxyHost: string
  /** Where the upstreams listen, as the gateway sees it. */
  readonly upstreamHost: string
  /** The command line that runs `argv` in one of the namespaces. */
  inside(place: Place, argv: readonly string[]): readonly string[]
  /** Ends what still runs in the namespaces, and removes them. */
  remove(): void
}

export type Place = 'client' | 'gateway' | 'upstream'

const PLACES: readonly Place[] = ['client', 'gateway', 'upstream']
const PREFIX = 'ngt'
const PROXY_HOST = '198.18.0.1'
const CLIENT_HOST = '198.18.0.2'
const UPSTREAM_HOST = '198.18.1.2'

function namespaceOf(place: Place, pid: number): string {
  return `${PREFIX}${pid}-${place}`
}

function ip(...args: readonly string[]): string {
  return execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Why no network can be made here, or undefined where one can. */
export function networkUnavailable(): string | undefined {
  if (process.platform !== 'linux') return 'network namespaces need Linux'
  if (process.getuid?.() !== 0) return 'network namespaces need root'
  try {
    ip('-V')
  } catch {
    return 'iproute2 is not installed: run scripts/setup-tests.sh'
  }
  const probe = `${PREFIX}${process.pid}-probe`
  try {
    ip('netns', 'add', probe)
    ip('netns', 'delete', probe)
    return undefined
  } catch (error) {
    return `this machine allows no network namespace: ${String(error).split('\n').at(-1)}`
  }
}

/** Makes the network of this process; it goes with the process, or by `remove`. */
export function createNetwork(): Network {
  removeOrphans()
  const name = (place: Place): string => namespaceOf(place, process.pid)
  const remove = (): void => {
    for (const place of PLACES) removeNamespace(name(place))
  }
  process.once('exit', remove)
  try {
    for (const place of PLACES) {
      ip('netns', 'add', name(place))
      ip('-n', name(place), 'link', 'set', 'lo', 'up')
    }
    join(name('gateway'), PROXY_HOST, name('client'), CLIENT_HOST)
    join(name('gateway'), '198.18.1.1', name('upstream'), UPSTREAM_HOST)
  } catch (error) {
    remove()
    throw error
  }
  return {
    proxyHost: PROXY_HOST,
    upstreamHost: UPSTREAM_HOST,
    inside: (place, argv) => ['ip', 'netns', 'exec', name(place), ...argv],
    remove() {
      process.off('exit', remove)
      remove()
    },
  }
}

/** A cable between two namespaces. Both ends are made in place, so that no name of the machine's is used. */
function join(from: string, fromHost: string, to: string, toHost: string): void {
  const plug = to.slice(to.indexOf('-') + 1)
  ip('-n', from, 'link', 'add', plug, 'type', 'veth', 'peer', 'name', 'gateway', 'netns', to)
  ip('-n', from, 'address', 'add', `${fromHost}/30`, 'dev', plug)
  ip('-n', to, 'address', 'add', `${toHost}/30`, 'dev', 'gateway')
  ip('-n', from, 'link', 'set', plug, 'up')
  ip('-n', to, 'link', 'set', 'gateway', 'up')
}

function removeNamespace(name: string): void {
  if (!existsSync(`/run/netns/${name}`)) return
  for (const pid of ip('netns', 'pids', name).split('\n')) {
    if (pid !== '') endProcess(Number(pid))
  }
  ip('netns', 'delete', name)
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it ended by itself in the meantime
  }
}

/** Removes what rigs left behind that were killed before they could clean up. */
function removeOrphans(): void {
  if (!existsSync('/run/netns')) return
  for (const name of readdirSync('/run/netns')) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue
    try {
      removeNamespace(name)
    } catch {
      // another rig that starts at this moment was faster
    }
  }
}
