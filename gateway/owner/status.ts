import type { ExportStatus } from '../../adapters/exports/port.ts'
import type { LedgerAnchor } from '../../adapters/ledger/port.ts'
import type { McpServerStatus } from '../mcp-servers/servers.ts'
import type { OwnerPorts } from './ports.ts'

/** How the gateway is doing. */
export interface Status {
  readonly version: string
  /** Version of the configuration in force. */
  readonly configuration: string
  readonly started: string
  readonly uptime_seconds: number
  readonly not_ready: readonly string[]
  readonly ledger: ReturnType<OwnerPorts['ledger']['stats']> & {
    readonly mode: string
    readonly ready: ReturnType<OwnerPorts['ledger']['ready']>
    readonly head: ReturnType<OwnerPorts['ledger']['head']>
    /** Records that are durable and not yet indexed. */
    readonly lag: number
    readonly checkpoint: {
      /** How many records the last one covers. */
      readonly size: number
      /** Why none is signed any more: the log is not the one that was signed. */
      readonly fault?: string
    }
    /** Absent where checkpoints are carried nowhere. */
    readonly anchor?: ReturnType<LedgerAnchor['stats']>
  }
  readonly exports: readonly ExportStatus[]
  readonly mcp_servers: readonly McpServerStatus[]
}

/** Counts from the moment of this call on. */
export function createStatus(ports: OwnerPorts): () => Status {
  const { clock, ledger, index, proofs, anchor, version } = ports
  const fault = () => {
    const fault = proofs.fault()
    return fault === undefined ? {} : { fault }
  }
  const started = clock.now()
  return () => ({
    version,
    configuration: ports.configVersion(),
    started: new Date(started).toISOString(),
    uptime_seconds: Math.floor((clock.now() - started) / 1000),
    not_ready: ports.notReady(),
    ledger: {
      mode: ledger.mode,
      ready: ledger.ready(),
      head: ledger.head(),
      ...ledger.stats(),
      lag: index.lag(),
      checkpoint: { size: proofs.latest()?.size ?? 0, ...fault() },
      ...(anchor && { anchor: anchor.stats() }),
    },
    exports: ports.exports.status(),
    mcp_servers: ports.mcpServers(),
  })
}
