import type { FastifyInstance } from 'fastify'
import { createAdmit } from './admit.ts'
import { createCarryOut } from './carry-out.ts'
import { createListener, type Listener } from './doors/listener.ts'
import { createDirectCall, type DirectCall } from './direct.ts'
import { createExchange } from './exchange.ts'
import { affordableConnections } from './descriptors.ts'
import { createFlood } from './flood.ts'
import { createGrantLimits } from './grant-limits.ts'
import { createHolderReceipts, createReadReceipt } from './holder-receipts.ts'
import { createHolder } from './holder.ts'
import { createHolderDoors } from './holder-doors.ts'
import { createMcpDoor } from './mcp/door.ts'
import type { Metrics } from './metrics.ts'
import { createOpenExchanges } from './open.ts'
import { createOwnerApp } from './owner/app.ts'
import type { OwnerPorts } from './owner/ports.ts'
import type { Ports } from './ports.ts'
import { createReadingBudget } from './reading-budget.ts'
import type { Authority } from './tls/authority.ts'
import { createDryRun } from './why/dry-run.ts'

/** A gateway that is put together and listens when told to. */
export interface Gateway {
  readonly call: DirectCall
  /** Binds both listeners; resolves with the addresses that were bound, `host:port` or `unix:<path>`. */
  listen(): Promise<{ readonly proxy: string; readonly owner: string }>
  /** Stops taking calls, lets running ones end within the grace time (ms), and writes what is counted. */
  close(graceMs: number): Promise<void>
}

export interface GatewayParts {
  readonly ports: Ports
  readonly owner: OwnerPorts
  readonly authority: Authority
  readonly metrics: Metrics
}

/** Puts the way of a call behind its doors. It names no driver: `main.ts` hands them in. */
export function createGateway({ ports, owner, authority, metrics }: GatewayParts): Gateway {
  const { config } = ports.snapshot()
  const open = createOpenExchanges(ports)
  const flood = createFlood(ports)
  const grants = createGrantLimits(ports.clock)
  const readings = createReadingBudget(ports.clock)
  const once = createExchange(ports, { open, flood, grants, readings })
  const calls = createCarryOut(once, createDryRun(ports, readings), ports)
  const readReceipt = createReadReceipt({ ...owner.recut, ...ports, index: owner.index })
  const mcp = createMcpDoor({ ...ports, readReceipt, tools: owner.directory.tools })
  const exchange = createHolderDoors(calls, {
    ...ports,
    directory: owner.directory,
    cursors: owner.cursors,
    index: owner.index,
    open,
    mcp: mcp.answer,
    articles: owner.articles,
    persons: owner.persons,
  })
  const call = createDirectCall(exchange)
  const app = createOwnerApp(owner, call)
  const maxConnections = affordableConnections(config.limits.maxConnections, ports.log)
  const listener = createListener({
    listen: config.listen.proxy,
    exchange,
    admit: createAdmit(exchange, ports),
    mounts: () => ports.snapshot().config.mounts,
    holder: createHolder({
      notReady: owner.notReady,
      receipts: createHolderReceipts(readReceipt),
      names: () => ports.snapshot().config.headers,
      headField: () => [owner.headHeader(), ports.ledger.head().hash],
    }),
    refusedHeader: owner.refusedHeader,
    authority,
    engine: config.engine,
    limits: { ...config.limits, maxConnections },
    log: ports.log,
    metrics,
  })
  return {
    call,
    listen: () => listenBoth(listener, app, owner),
    async close(graceMs) {
      mcp.close()
      const cut = setTimeout(() => app.server.closeAllConnections(), graceMs)
      await Promise.all([listener.close({ graceMs }), app.close()])
      clearTimeout(cut)
      open.stop()
      await flood.stop()
    },
  }
}

async function listenBoth(
  listener: Listener,
  app: FastifyInstance,
  { listen }: OwnerPorts,
): Promise<{ proxy: string; owner: string }> {
  const owner = await app.listen(
    listen.kind === 'unix'
      ? { path: listen.path }
      : { host: listen.host ?? '::', port: listen.port },
  )
  const { address } = await listener.listen()
  return {
    proxy: address,
    owner: listen.kind === 'unix' ? `unix:${listen.path}` : new URL(owner).host,
  }
}
