import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { html, type Markup } from '../../pages/html.ts'
import { refusal, Refusal } from '../../refusal.ts'
import type { OwnerKeyCheck } from '../key-check.ts'
import { addDoors } from '../routes/doors.ts'
import { CONSOLE, pageAt } from './address.ts'
import { cookieWith, sessionCookie } from './cookie.ts'
import { fieldOf, formOf, type Form } from './forms.ts'
import { framed } from './frame.ts'
import { readQuery } from './query.ts'
import type { ConsoleSessions } from './sessions.ts'

/** Where the owner's browser gets its session, and gives it back. */
export function signInPages(
  scope: FastifyInstance,
  sessions: ConsoleSessions,
  check: OwnerKeyCheck,
): void {
  addDoors(scope, '/login', {
    GET: async (request) => signInPage(request, nextOf(readQuery(request, ['next'])['next'])),
    POST: { body: formOf({ key: fieldOf(), next: fieldOf() }), handler: signIn },
  })
  addDoors(scope, '/logout', {
    POST: {
      body: formOf({}),
      handler: async (request, reply) => {
        sessions.end(sessionCookie(request))
        reply.header('set-cookie', cookieWith('', request))
        return reply.redirect(pageAt(['login']), 303)
      },
    },
  })

  async function signIn(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { key = '', next } = request.body as Form
    const target = nextOf(next)
    try {
      check([key.trim()], request.socket.remoteAddress)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { status, retryAfter } = error
      if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
      return reply.code(status).send(signInPage(request, target, wrongKey(retryAfter)))
    }
    // The browser may have had one that somebody else knows.
    sessions.end(sessionCookie(request))
    reply.header('set-cookie', cookieWith(sessions.begin(), request))
    return reply.redirect(target, 303)
  }
}

/**
 * Where to go once signed in: a page of this console and nothing else.
 * @throws Refusal for any other address
 */
function nextOf(next: string | undefined): string {
  if (next === undefined || next === '') return CONSOLE
  if (/^\/console(?:[/?][!-[\]-~]*)?$/.test(next)) {
    const { pathname, search } = new URL(next, 'http://console.invalid')
    if (pathname === CONSOLE || pathname.startsWith(`${CONSOLE}/`)) return pathname + search
  }
  const repair = `leave it out, or name a page under \`${CONSOLE}\``
  throw refusal('malformed_request', 'next', { got: 'an address outside of the console', repair })
}

function wrongKey(retryAfter: number | undefined): string {
  if (retryAfter === undefined) return 'That is not this gateway’s owner key.'
  return `Too many wrong keys from here. Try again in ${retryAfter} seconds.`
}

function signInPage(request: FastifyRequest, next: string, fault?: string): string {
  return framed(request, 'Sign in', form(next, fault))
}

function form(next: string, fault: string | undefined): Markup {
  const invalid = fault === undefined ? undefined : html` aria-invalid="true"`
  return html`<form class="card narrow" method="post" action="${pageAt(['login'])}">
    <h1>Sign in</h1>
    <div class="field">
      <label for="key">Owner key</label>
      <input type="hidden" name="next" value="${next}" />
      <input
        class="code"
        id="key"
        name="key"
        type="password"
        autocomplete="current-password"
        required
        autofocus
        aria-describedby="key-help key-fault"
        ${invalid}
      />
      <p class="fault" id="key-fault" role="alert">${fault}</p>
      <p class="help" id="key-help">
        The text in <code>owner.key</code> in the gateway’s state folder. It is compared and
        forgotten: this browser keeps a session of its own, which ends after an hour without use, or
        when you sign out.
      </p>
    </div>
    <p class="actions"><button class="first">Sign in</button></p>
  </form>`
}
