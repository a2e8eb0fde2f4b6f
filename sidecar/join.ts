import type { ListenAddress } from '../gateway/config/index.ts'
import type { Offline } from '../gateway/offline.ts'
import { announcedGateway } from './gateway-file.ts'
import { InvalidRequest } from './invalid.ts'
import { probe, splitAddress } from './probe.ts'

/** A gateway that a command can be put behind. */
export interface Joined {
  readonly host: string
  readonly port: number
  /** True where it was started by this process, and ends with it. */
  readonly embedded: boolean
  stop(): Promise<void>
}

/** Nothing answers where a gateway was named. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

function addressOf(listen: ListenAddress): string | undefined {
  if (listen.kind === 'unix' || listen.port === 0) return undefined
  const host = listen.host ?? '127.0.0.1'
  return `${host.includes(':') ? `[${host}]` : host}:${listen.port}`
}

function joined(proxy: string, stop: () => Promise<void>, embedded: boolean): Joined | undefined {
  const target = splitAddress(proxy)
  return target === undefined ? undefined : { ...target, embedded, stop }
}

async function stopNothing(): Promise<void> {}

/** `http://host:port` as host and port; a token has no place in it. */
function namedAddress(url: string): string {
  const [, address] = /^(?:http:\/\/)?([^/@]+)\/?$/.exec(url) ?? []
  if (address !== undefined && splitAddress(address) !== undefined) return address
  throw new InvalidRequest('gateway: write it as http://host:port, without a token')
}

/** The named gateway; its state must be the one whose build key mints here. */
async function joinNamed(url: string): Promise<Joined> {
  const address = namedAddress(url)
  const found = joined(address, stopNothing, false)
  if (found === undefined || (await probe(address, '/healthz')) === undefined) {
    throw new Unreachable(`gateway: nothing answers at \`${url}\`; start narrowgate serve there`)
  }
  return found
}

/**
 * Where the gateway of this very state listens, if one runs: it has to know the state's owner key, since a token minted
 * here is forged to every other gateway.
 */
export async function runningGateway(
  place: Offline,
): Promise<{ readonly proxy: string; readonly owner: string } | undefined> {
  const ownerKey = await place.ownerKey()
  if (ownerKey === undefined) return undefined
  const { listen } = place.config
  const candidates = [
    announcedGateway(place.folder),
    { proxy: addressOf(listen.proxy), owner: addressOf(listen.owner) },
  ]
  for (const candidate of candidates) {
    if (candidate?.proxy === undefined || candidate.owner === undefined) continue
    const authorization = `Bearer ${ownerKey}`
    const status = await probe(candidate.owner, '/api/status', { authorization })
    if (status === 200) return { proxy: candidate.proxy, owner: candidate.owner }
  }
  return undefined
}

/** A gateway in this process on ports of its own, for as long as the command runs. */
async function startEmbedded(place: Offline): Promise<Joined> {
  const { startGateway } = await import('../gateway/main.ts')
  const gateway = await startGateway({
    ...(place.config.file === undefined ? {} : { configFile: place.config.file }),
    state: place.folder,
    overrides: { listen: { proxy: '127.0.0.1:0', owner: '127.0.0.1:0' } },
    log: 'silent',
  })
  const found = joined(gateway.addresses.proxy, () => gateway.stop(), true)
  if (found !== undefined) return found
  await gateway.stop()
  throw new Unreachable(`gateway: its address \`${gateway.addresses.proxy}\` cannot stand in a URL`)
}

/**
 * Finds the gateway to run behind: the named one, else one that runs on this state, else a new one.
 * Rejects with Unreachable or InvalidRequest.
 */
export async function joinGateway(place: Offline, named: string | undefined): Promise<Joined> {
  if (named !== undefined) return joinNamed(named)
  const running = await runningGateway(place)
  const found = running === undefined ? undefined : joined(running.proxy, stopNothing, false)
  return found ?? (await startEmbedded(place))
}

/** Where a gateway is, or will be once it is started: as named, as it runs, or as configured. */
export async function gatewayAddress(
  place: Offline,
  named: string | undefined,
): Promise<{ readonly host: string; readonly port: number }> {
  if (named !== undefined) {
    const target = splitAddress(namedAddress(named))
    if (target !== undefined) return target
  }
  const address = (await runningGateway(place))?.proxy ?? addressOf(place.config.listen.proxy)
  const target = address === undefined ? undefined : splitAddress(address)
  if (target !== undefined) return target
  throw new InvalidRequest(
    'gateway: none runs, and the configured proxy address has no fixed port; name one with --gateway http://host:port',
  )
}
