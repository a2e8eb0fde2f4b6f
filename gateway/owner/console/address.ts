import type { FastifyRequest } from 'fastify'

/** Where the console is. */
export const CONSOLE = '/console'

/** Where its shared files are. */
export const ASSETS = `${CONSOLE}/assets`

/** Whether a request is for the console, also where nothing is served at its address. */
export function isConsole({ routeOptions, url }: FastifyRequest): boolean {
  const path = routeOptions.url ?? url.split('?', 1)[0] ?? ''
  return path === CONSOLE || path.startsWith(`${CONSOLE}/`)
}

/**
 * The address of a page of the console; names in it are encoded, parameters without a value are left out.
 * `pageAt(['grants', id], {page: '2'})` is `/console/grants/<id>?page=2`.
 */
export function pageAt(
  steps: readonly string[],
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.set(name, String(value))
  const path = [CONSOLE, ...steps.map(encodeURIComponent)].join('/')
  return search.size === 0 ? path : `${path}?${search.toString()}`
}
