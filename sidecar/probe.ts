import { Agent, get } from 'node:http'

const PROBE_MS = 1500

/** `127.0.0.1:3128` and `[::1]:3128`, apart. Wildcard addresses are reached over loopback. */
export function splitAddress(
  address: string,
): { readonly host: string; readonly port: number } | undefined {
  const [, host, port] = /^\[?([^\]]*?)\]?:(\d+)$/.exec(address) ?? []
  if (host === undefined || port === undefined) return undefined
  return { host: loopbackFor(host), port: Number(port) }
}

function loopbackFor(host: string): string {
  if (host === '::') return '::1'
  return host === '' || host === '0.0.0.0' ? '127.0.0.1' : host
}

/**
 * The status that a gateway's door answers with, or undefined where nothing answers in time.
 * It has an agent of its own, since the global one may follow proxy variables.
 */
export function probe(
  address: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<number | undefined> {
  const target = splitAddress(address)
  if (target === undefined) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const agent = new Agent()
    const finish = (status: number | undefined): void => {
      agent.destroy()
      resolve(status)
    }
    get({ ...target, path, headers, agent, timeout: PROBE_MS }, (answer) => {
      answer.resume()
      finish(answer.statusCode)
    })
      .on('timeout', () => finish(undefined))
      .on('error', () => finish(undefined))
  })
}
