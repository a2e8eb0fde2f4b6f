import type { Upstream } from '../adapters/upstream/port.ts'
import type { RouteMatch, Tool } from '../catalog/index.ts'
import type { ResolvedUpstream } from './config/types.ts'
import type { Shape } from './knock.ts'
import { STORE_ORIGIN } from './store/address.ts'

/** What is called without a request to a host: the gateway's own store, and servers of tools. */
export type InnerShape = 'store' | 'mcp'

/** The row of such a call, and what stands for its upstream. */
export interface InnerRoute {
  readonly route: RouteMatch
  /** It has no keys of its own: whoever sends the call puts them in. */
  readonly upstream: ResolvedUpstream
  /** Name of the key that is put in, or of what else no token with a `keys` line may use; undefined where there is none. */
  readonly key: string | undefined
}

/** One of the places inside. */
export interface Inner {
  /**
   * Reads the method and path of a request for it.
   * @throws Refusal where nothing is there
   */
  route(method: string, path: string): InnerRoute
  readonly send: Upstream['send']
}

/** Whether knocks of this shape are for a place inside. */
export function isInner(shape: Shape): shape is InnerShape {
  return shape === 'store' || shape === 'mcp'
}

/** The place inside that the calls of a row go to; undefined for a row of a host. */
export function innerOf({ host, mcp }: Tool): InnerShape | undefined {
  if (mcp !== undefined) return 'mcp'
  return host === STORE_ORIGIN.host ? 'store' : undefined
}
