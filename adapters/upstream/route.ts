import type { Origin, Route } from './port.ts'
import { authorityOf } from './target.ts'
import { trustKey } from './trust.ts'

/** How the bytes get there: straight, through a proxy's tunnel, or to a proxy in absolute form. */
type Hop = 'direct' | 'tunnel' | 'absolute'

/** One way to one origin, made from origin and route. */
export interface Plan {
  readonly origin: Origin
  readonly route: Route
  readonly hop: Hop
  /** Speak TLS to the origin. */
  readonly secure: boolean
  /** Connections are shared between requests of the same key only: same origin, same way, same trust. */
  readonly key: string
}

// A plan depends on nothing else, and its key costs more to write than most requests' heads.
const MOST_PLANS = 1_000
const plans = new WeakMap<Route, Map<string, Plan>>()

/** An upgrade over clear text goes through the proxy's tunnel, since proxies seldom pass upgrades in absolute form. */
export function planRequest(origin: Origin, route: Route, upgrade: boolean): Plan {
  const known = plans.get(route) ?? new Map<string, Plan>()
  const name = `${upgrade ? 'upgrade' : 'plain'} ${origin.scheme} ${origin.host} ${origin.port}`
  const plan = known.get(name) ?? makeRequestPlan(origin, route, upgrade)
  // Bounded: a route that serves any host would else remember every name that was ever asked for.
  if (known.size >= MOST_PLANS) known.clear()
  known.set(name, plan)
  plans.set(route, known)
  return plan
}

function makeRequestPlan(origin: Origin, route: Route, upgrade: boolean): Plan {
  const secure = origin.scheme === 'https'
  const proxied = usesProxy(origin, route)
  const hop = !proxied ? 'direct' : secure || upgrade ? 'tunnel' : 'absolute'
  return makePlan(origin, route, { hop, secure })
}

/** A tunnel that is not intercepted carries whatever the client speaks, TLS included. */
export function planTunnel(origin: Origin, route: Route): Plan {
  const hop = usesProxy(origin, route) ? 'tunnel' : 'direct'
  return makePlan(origin, route, { hop, secure: false })
}

function makePlan(origin: Origin, route: Route, way: Pick<Plan, 'hop' | 'secure'>): Plan {
  const { address, allowPrivate = [], proxy } = route
  const via = way.hop === 'direct' ? address : proxy
  const login = way.hop === 'direct' ? undefined : proxy?.authorization
  const key = JSON.stringify([
    origin,
    way,
    via && authorityOf(via),
    login,
    allowPrivate,
    trustKey(route),
  ])
  return { origin, route, ...way, key }
}

/** An operator's `address` is nearer than the proxy: it says what to dial. */
function usesProxy(origin: Origin, route: Route): boolean {
  if (route.proxy === undefined || route.address !== undefined) return false
  return !(route.noProxy ?? []).some((entry) =>
    entry.startsWith('.')
      ? origin.host.endsWith(entry) || origin.host === entry.slice(1)
      : origin.host === entry,
  )
}
