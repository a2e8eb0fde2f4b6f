import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where the gateway that holds a state folder listens: `ip:port` each. */
export interface GatewayAddresses {
  readonly pid: number
  readonly proxy: string
  readonly owner: string
}

function fileIn(state: string): string {
  return join(state, 'gateway.json')
}

/** Lets other commands on the same state find this gateway, whatever ports it was given. */
export function announceGateway(state: string, addresses: GatewayAddresses): void {
  const draft = `${fileIn(state)}.${addresses.pid}`
  writeFileSync(draft, `${JSON.stringify(addresses)}\n`, { mode: 0o600 })
  renameSync(draft, fileIn(state))
}

/** Takes the announcement back, unless another gateway has made its own since. */
export function withdrawGateway(state: string, pid: number): void {
  if (announcedGateway(state)?.pid === pid) rmSync(fileIn(state), { force: true })
}

/** What was announced last; whether it still lives is for the caller to ask. */
export function announcedGateway(state: string): GatewayAddresses | undefined {
  try {
    const read: unknown = JSON.parse(readFileSync(fileIn(state), 'utf8'))
    return isAddresses(read) ? read : undefined
  } catch {
    return undefined
  }
}

function isAddresses(value: unknown): value is GatewayAddresses {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof Reflect.get(value, 'pid') === 'number' &&
    typeof Reflect.get(value, 'proxy') === 'string' &&
    typeof Reflect.get(value, 'owner') === 'string'
  )
}
