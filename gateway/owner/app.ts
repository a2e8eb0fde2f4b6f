import { fastify, type FastifyInstance } from 'fastify'
import { ownerAuth } from './auth.ts'
import { compileBody } from './body.ts'
import { hostGuard } from './host.ts'
import type { OwnerPorts } from './ports.ts'
import { sendFault, sendNotFound } from './problem.ts'
import { grantDoors } from './routes/grant.ts'
import { grantRoutes } from './routes/grants.ts'
import { healthRoutes } from './routes/health.ts'
import { ledgerRoutes } from './routes/ledger.ts'
import { openApiRoutes } from './routes/openapi.ts'
import { personRoutes } from './routes/persons.ts'
import { statusRoutes } from './routes/status.ts'
import { whyRoutes } from './routes/why.ts'

const ROUTES = [
  healthRoutes,
  grantRoutes,
  grantDoors,
  personRoutes,
  ledgerRoutes,
  statusRoutes,
  whyRoutes,
  openApiRoutes,
]

/** Longest name in an address: an id has up to 128 characters, each up to twelve when it is percent-encoded. */
const LONGEST_NAME = 128 * 12

/**
 * The owner doors: health, metrics, grants, persons, ledger and status. Every request passes the Host guard and then
 * needs the owner key, unless it asks for health or metrics from this very machine.
 */
export function createOwnerApp(ports: OwnerPorts): FastifyInstance {
  const app = fastify({
    logger: false,
    forceCloseConnections: 'idle',
    frameworkErrors: sendFault(ports.log),
    routerOptions: { maxParamLength: LONGEST_NAME },
  })
  app.setErrorHandler(sendFault(ports.log))
  app.setNotFoundHandler(sendNotFound)
  app.setValidatorCompiler(compileBody)
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  })
  app.addHook('onRequest', hostGuard(ports.listen))
  app.addHook('onRequest', ownerAuth(ports))
  for (const register of ROUTES) register(app, ports)
  return app
}
