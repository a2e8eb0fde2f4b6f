import { fastify, type FastifyInstance } from 'fastify'
import { ownerAuth } from './auth.ts'
import { hostGuard } from './host.ts'
import type { OwnerPorts } from './ports.ts'
import { sendFault, sendNotFound } from './problem.ts'
import { grantRoutes } from './routes/grants.ts'
import { healthRoutes } from './routes/health.ts'
import { ledgerRoutes } from './routes/ledger.ts'
import { statusRoutes } from './routes/status.ts'

/**
 * The owner doors: health, metrics, ledger and status. Every request passes the Host guard and then
 * needs the owner key, unless it asks for health or metrics from this very machine.
 */
export function createOwnerApp(ports: OwnerPorts): FastifyInstance {
  const app = fastify({
    logger: false,
    forceCloseConnections: 'idle',
    frameworkErrors: sendFault(ports.log),
  })
  app.setErrorHandler(sendFault(ports.log))
  app.setNotFoundHandler(sendNotFound)
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  })
  app.addHook('onRequest', hostGuard(ports.listen))
  app.addHook('onRequest', ownerAuth(ports))
  for (const register of [healthRoutes, grantRoutes, ledgerRoutes, statusRoutes])
    register(app, ports)
  return app
}
