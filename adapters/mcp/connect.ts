import type { McpConnect } from './port.ts'

/** Connects by the official client library, which is large: it is loaded with the first server that there is. */
export function createMcpConnect(version: string): McpConnect {
  const loaded = () => import('./client.ts').then(({ connectBy }) => connectBy(version))
  let connect: Promise<McpConnect> | undefined
  return async (...args) => (await (connect ??= loaded()))(...args)
}
