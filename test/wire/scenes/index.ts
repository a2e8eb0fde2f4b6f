import { ANSWERS } from './answers.ts'
import { BLIND_TUNNELS } from './blind.ts'
import { ENGINE } from './engine.ts'
import { HOSTS } from './hosts.ts'
import { KEYS } from './keys.ts'
import { LIMITS } from './limits.ts'
import { LINES } from './lines.ts'
import { OWN_DOORS } from './own-doors.ts'
import { RING } from './ring.ts'
import { RUNTIME } from './runtime.ts'
import type { Proof } from './scene.ts'
import { STORES } from './stores.ts'
import { TOKENS } from './tokens.ts'

/** What a call is refused for by what it is, and by where it leads. */
export const CALLS: readonly Proof[] = [...LINES, ...HOSTS]

/** Where it takes keys, rows, guardrails and projections. */
export const KEYED: readonly Proof[] = [...ANSWERS, ...KEYS]

/** Where there is too much of it, and where a tunnel is the call. */
export const LIMITED: readonly Proof[] = [...LIMITS, ...BLIND_TUNNELS]

/** Where a part of the gateway is out of order or gone, and its own doors. */
export const OUTAGES: readonly Proof[] = [...STORES, ...ENGINE, ...RUNTIME, ...RING, ...OWN_DOORS]

export const PROOFS: readonly Proof[] = [...CALLS, ...TOKENS, ...KEYED, ...LIMITED, ...OUTAGES]
