import type { FastifyInstance } from 'fastify'
import { PAGE_HEADERS } from '../../pages/headers.ts'
import type { OwnerKeyCheck } from '../key-check.ts'
import { CONSOLE } from './address.ts'
import { articlePages } from './articles.ts'
import { assetDoor } from './assets.ts'
import { configPage } from './config.ts'
import { takeForms } from './forms.ts'
import { grantPages } from './grant/pages.ts'
import { grantsPage } from './grants.ts'
import { guardConsole } from './guard.ts'
import { healthPage } from './health.ts'
import { ledgerPages } from './ledger/pages.ts'
import { mintPages } from './mint/pages.ts'
import { overviewPage } from './overview.ts'
import { showFault, showNotFound } from './problem.ts'
import { createConsoleSessions } from './sessions.ts'
import { signInPages } from './sign-in.ts'
import { toolPages, type CallingPorts } from './tools/pages.ts'

const PAGES = [
  articlePages,
  overviewPage,
  mintPages,
  grantsPage,
  grantPages,
  ledgerPages,
  toolPages,
  healthPage,
  configPage,
]

/** The owner's console: pages for browsers, behind a session of their own. */
export function addConsole(app: FastifyInstance, ports: CallingPorts, check: OwnerKeyCheck): void {
  const sessions = createConsoleSessions(ports)
  app.register(
    async (scope) => {
      scope.addHook('onRequest', async (_request, reply) => {
        reply.headers(PAGE_HEADERS).type('text/html; charset=utf-8')
      })
      scope.setErrorHandler(showFault(ports.log))
      scope.setNotFoundHandler(showNotFound)
      guardConsole(scope, sessions)
      takeForms(scope)
      assetDoor(scope)
      signInPages(scope, sessions, check)
      for (const add of PAGES) add(scope, ports)
    },
    { prefix: CONSOLE },
  )
}
