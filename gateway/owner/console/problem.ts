import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { PAGE_HEADERS } from '../../pages/headers.ts'
import { html, type Markup } from '../../pages/html.ts'
import { prose } from '../../pages/parts.ts'
import { refusal, type Refusal } from '../../refusal.ts'
import type { OwnerPorts } from '../ports.ts'
import { asRefusal } from '../problem.ts'
import { pageAt } from './address.ts'
import { framed } from './frame.ts'
import { sessionOf } from './guard.ts'

/** Shows whatever a page or a form threw. */
export function showFault(log: OwnerPorts['log']) {
  return (error: FastifyError | Refusal, request: FastifyRequest, reply: FastifyReply): void => {
    const refused = asRefusal(error)
    if (refused.code === 'internal_error')
      log.error({ error, method: request.method }, 'a page of the console failed')
    if (refused.retryAfter !== undefined) reply.header('retry-after', String(refused.retryAfter))
    void reply
      // What was refused before it came to the console has none yet.
      .headers(PAGE_HEADERS)
      .code(refused.status)
      .type('text/html; charset=utf-8')
      .send(framed(request, refused.message, shown(refused, request)))
  }
}

export function showNotFound(request: FastifyRequest, reply: FastifyReply): void {
  const got = 'an address that has no page'
  const repair = 'begin at the overview'
  showFault({ error() {} })(refusal('not_found', 'page', { got, repair }), request, reply)
}

function shown(refused: Refusal, request: FastifyRequest): Markup {
  const signIn =
    sessionOf(request) === undefined
      ? html`<p><a class="button first" href="${pageAt(['login'])}">Sign in</a></p>`
      : undefined
  return html`<div class="stack">
    <h1>${sentence(refused.message)}</h1>
    ${reasonsOf(refused)}
    <p class="soft">${refused.status} <code>${refused.code}</code></p>
    ${signIn}
  </div>`
}

/** What was got and how to repair it, for each cause. */
function reasonsOf({ reasons }: Refusal): Markup {
  const items = reasons.map(
    ({ axis, caveat, got, repair }) =>
      html`<p>
        ${caveat === undefined ? axis : html`<code>${caveat}</code>`}: got ${prose(got)}.
        ${prose(sentence(repair))}.
      </p>`,
  )
  return html`<div class="note bad tight" role="alert">${items}</div>`
}

/** With a capital letter in front. */
function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
