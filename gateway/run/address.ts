import { parseQuery, type QueryArgs } from '../../catalog/index.ts'

/** Where a tool and its arguments are posted; the token is in the Authorization field. */
export const RUN_PATH = '/g/run'

/** Where several calls are posted at once. */
export const BATCH_PATH = '/api/invoke-json'

/** Where JSON-RPC 2.0 is spoken. */
export const RPC_PATH = '/g/rpc'

const OWN_PATHS: readonly string[] = [RUN_PATH, RPC_PATH, BATCH_PATH]
const WITH_TOKEN = /^\/g\/([^/?]+)(\/run(?:[/?]|$).*)$/s
const LINK = /^\/run\/([^/?]+)(?:\?(.*))?$/s

/** Whether a target is one of the doors that run tools. */
export function isOfRuns(target: string): boolean {
  return OWN_PATHS.includes(pathOf(target)) || WITH_TOKEN.test(target)
}

/** A target that has its token in it, taken apart: what is left is what may be written down. */
export function splitToken(
  target: string,
): { readonly token: string; readonly rest: string } | undefined {
  const [, token, rest] = WITH_TOKEN.exec(target) ?? []
  return token === undefined || rest === undefined ? undefined : { token, rest }
}

/** The tool that a link names, and what stands behind it as a form writes it; undefined for a target that is no link. */
export function linkOf(
  rest: string,
): { readonly tool: string; readonly query: QueryArgs } | undefined {
  const [, tool, query = ''] = LINK.exec(rest) ?? []
  return tool === undefined ? undefined : { tool, query: parseQuery(query) }
}

export function pathOf(target: string): string {
  return target.split('?', 1)[0]!
}
