import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refusal } from '../../refusal.ts'
import { ASSETS, CONSOLE, pageAt } from './address.ts'
import { sessionCookie } from './cookie.ts'
import { checkForm, checkOrigin } from './origin.ts'
import type { ConsoleSession, ConsoleSessions } from './sessions.ts'

/** Addresses that need no session: where one begins, and the files that its page is made of. */
const OPEN: ReadonlySet<string | undefined> = new Set([`${CONSOLE}/login`, `${ASSETS}/:file`])
const LONGEST_NEXT = 2048
const DECORATOR = 'consoleSession'

/** Nothing of the console is shown or done without a session, and no form is taken that it was not shown. */
export function guardConsole(scope: FastifyInstance, sessions: ConsoleSessions): void {
  scope.decorateRequest(DECORATOR, undefined)
  scope.addHook('onRequest', async (request, reply) => {
    const reads = request.method === 'GET' || request.method === 'HEAD'
    if (!reads) checkOrigin(request)
    const session = sessions.read(sessionCookie(request))
    request.setDecorator<ConsoleSession | undefined>(DECORATOR, session)
    if (session !== undefined || OPEN.has(request.routeOptions.url)) return undefined
    if (reads) return askToSignIn(request, reply)
    throw refusal('owner_key_missing', 'session', {
      got: 'a form without a session, or one that has ended',
      repair: 'sign in, then send it again; nothing was done',
    })
  })
  // Once the body is read, and before anything in it is looked at.
  scope.addHook('preValidation', async (request) => {
    if (request.method !== 'POST' || OPEN.has(request.routeOptions.url)) return
    const session = sessionOf(request)
    if (session !== undefined) checkForm(request.body, session)
  })
}

/** Undefined where nobody is signed in, which the pages of few addresses may be. */
export function sessionOf(request: FastifyRequest): ConsoleSession | undefined {
  return request.getDecorator<ConsoleSession | undefined>(DECORATOR)
}

function askToSignIn({ url }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const next = url === CONSOLE || url.length > LONGEST_NEXT ? undefined : url
  return reply.redirect(pageAt(['login'], { next }), 303)
}
