import type { Server } from 'node:http'
import { fastify, type FastifyInstance } from 'fastify'
import type { DirectCall } from '../direct.ts'
import { ownerAuth } from './auth.ts'
import { compileBody } from './body.ts'
import { addConsole } from './console/console.ts'
import { hostGuard } from './host.ts'
import { createOwnerKeyCheck } from './key-check.ts'
import type { OwnerPorts } from './ports.ts'
import { sendFault, sendNotFound } from './problem.ts'
import { articleRoutes } from './routes/articles.ts'
import { askRoutes } from './routes/ask.ts'
import { feedRoutes } from './routes/feed.ts'
import { grantDoors } from './routes/grant.ts'
import { grantRoutes } from './routes/grants.ts'
import { healthRoutes } from './routes/health.ts'
import { ingestRoutes } from './routes/ingest.ts'
import { ledgerRoutes } from './routes/ledger.ts'
import { openApiRoutes } from './routes/openapi.ts'
import { personRoutes } from './routes/persons.ts'
import { proofRoutes } from './routes/proofs.ts'
import { schemaRoutes } from './routes/schemas.ts'
import { retainRoutes } from './routes/retain.ts'
import { statusRoutes } from './routes/status.ts'
import { storeRoutes } from './routes/store.ts'
import { toolRoutes } from './routes/tools.ts'
import { viewRoutes } from './routes/views.ts'
import { whyRoutes } from './routes/why.ts'

const ROUTES = [
  healthRoutes,
  grantRoutes,
  grantDoors,
  personRoutes,
  ledgerRoutes,
  viewRoutes,
  askRoutes,
  proofRoutes,
  retainRoutes,
  feedRoutes,
  ingestRoutes,
  schemaRoutes,
  statusRoutes,
  whyRoutes,
  toolRoutes,
  storeRoutes,
  articleRoutes,
  openApiRoutes,
]

/** How often connections are looked at while it closes, in milliseconds. */
const SWEEP_MS = 50

/** Longest name in an address: an id has up to 128 characters, each up to twelve when it is percent-encoded. */
const LONGEST_NAME = 128 * 12

/**
 * The owner doors: health, metrics, grants, persons, ledger and status, and the console. Every request passes the Host
 * guard and then needs the owner key, unless it asks for health or metrics from this very machine; the console has
 * sessions in its place.
 */
export function createOwnerApp(ports: OwnerPorts, call: DirectCall): FastifyInstance {
  const app = fastify({
    logger: false,
    forceCloseConnections: 'idle',
    frameworkErrors: sendFault(ports),
    routerOptions: { maxParamLength: LONGEST_NAME },
  })
  app.setErrorHandler(sendFault(ports))
  app.setNotFoundHandler(sendNotFound(ports))
  app.setValidatorCompiler(compileBody)
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  })
  app.addHook('onSend', async (_request, reply) => {
    // As late as can be, so that the head covers what the request has recorded.
    reply.header(ports.headHeader(), ports.ledger.head().hash)
  })
  app.addHook('onRequest', hostGuard(ports.listen))
  app.addHook('preClose', async () => closeAsTheyIdle(app.server))
  const check = createOwnerKeyCheck(ports)
  app.addHook('onRequest', ownerAuth(ports, check))
  for (const register of ROUTES) register(app, ports)
  addConsole(app, { ...ports, call }, check)
  return app
}

/** Connections that are idle when it closes are ended by fastify; one whose answer is just going out would be kept for a minute. */
function closeAsTheyIdle(server: Server): void {
  if (!server.listening) return
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
  server.once('close', () => clearInterval(sweep))
}
