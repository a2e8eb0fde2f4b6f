import type { Clock } from '../../adapters/clock/port.ts'
import type { Grants } from '../../adapters/grants/port.ts'
import type { Secret } from '../../adapters/keys/port.ts'
import { createRouter } from '../../catalog/index.ts'
import {
  createDecider,
  createGuard,
  createLeashing,
  type CedarEngine,
  type UseCounters,
} from '../../policy/index.ts'
import { createAccessTokens } from '../access-tokens.ts'
import type { Config } from '../config/index.ts'
import { createCursors } from '../cursors.ts'
import { nodeDigests } from '../digests.ts'
import { createKeyRing } from '../keyring.ts'
import { createSessions } from '../persons/session.ts'
import type { JudgingPorts, Log, Snapshot } from '../ports.ts'
import { refusal } from '../refusal.ts'
import { createTokenRing } from '../ring.ts'
import { storeInside } from '../store/rows.ts'
import { createWants } from '../wants.ts'

/** What judging without a running gateway needs from outside. */
export interface OfflineJudging {
  readonly config: Config
  readonly buildKeys: readonly [Secret, ...Secret[]]
  /** Undefined where there is none yet: then no session is known. */
  readonly ownerKey: Secret | undefined
  readonly grants: Pick<Grants, 'fresh' | 'revoked' | 'saw' | 'leashOf' | 'onChange'>
  readonly uses: UseCounters
  readonly cedar: CedarEngine
  readonly clock: Clock
  readonly wrap: (name: string, value: string) => Secret
}

/** The ports of a judge who decides as the gateway of this state would, and who has no upstream's key. */
export function offlineJudging(parts: OfflineJudging): JudgingPorts {
  const { config, buildKeys, ownerKey, grants, uses, cedar, clock } = parts
  const snapshot = withoutKeys(parts)
  const { maxTokenBytes: maxBytes } = config.limits
  const ring = createTokenRing(buildKeys, { label: config.grantLabel, maxBytes })
  return {
    clock,
    verifier: ring,
    decider: createDecider({ cedar }),
    sessions: ownerKey === undefined ? NO_SESSIONS : createSessions(ownerKey, clock),
    uses,
    revocations: grants,
    leash: createLeashing(grants, nodeDigests),
    wants: createWants(createCursors(ring.secrets)),
    log: LOUD,
    metrics: { shadowed() {} },
    snapshot: () => snapshot,
    inner: { store: { route: storeInside }, mcp: { route: noServer } },
    notReady: () => [],
  }
}

/** No decision looks at an upstream's key, and who asks may not be allowed to read any. */
function withoutKeys({ config: written, cedar, wrap }: OfflineJudging): Snapshot {
  const upstreams = written.upstreams.map((upstream) => ({ ...upstream, keys: [] }))
  const config = { ...written, upstreams, mcpServers: [] }
  const secrets = new Map<string, Secret>()
  return {
    written: { config, secrets },
    config,
    secrets,
    keyring: createKeyRing(config, { config, secrets }, createAccessTokens(wrap)),
    router: createRouter(config.catalog),
    guard: createGuard(config.guardrails.guardrails, cedar),
  }
}

/** What a server lists is known where it is connected alone. */
function noServer(): never {
  const repair = 'ask the gateway that runs: `POST /api/why`'
  throw refusal('not_found', 'tool', { got: 'a tool of an MCP server', repair })
}

const NO_SESSIONS: JudgingPorts['sessions'] = {
  read: () => ({ ok: false, got: 'a session, and no owner key to check it with' }),
}

/** There is no log to look into afterwards: a fault of the program ends the command. */
const LOUD: Log = {
  info() {},
  warn() {},
  error({ error }: { readonly error?: unknown }) {
    throw error
  },
}
