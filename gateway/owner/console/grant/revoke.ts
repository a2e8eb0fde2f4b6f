import type { FastifyInstance, FastifyRequest } from 'fastify'
import { html, type Markup } from '../../../pages/html.ts'
import { refusal } from '../../../refusal.ts'
import { revokeGrant } from '../../actions.ts'
import type { OwnerPorts } from '../../ports.ts'
import { addDoors } from '../../routes/doors.ts'
import { pageAt } from '../address.ts'
import { fieldOf, formOf, type Form } from '../forms.ts'
import { csrfField, framed } from '../frame.ts'
import { readQuery } from '../query.ts'
import { knownGrant } from './known.ts'

const LINK = /^[A-Za-z0-9_-]{22}$/

/** Ending a grant, or a branch of it; asked about once more before it is done. */
export function revokePages(scope: FastifyInstance, ports: OwnerPorts): void {
  addDoors(scope, '/grants/:id/revoke', {
    GET: async (request) => {
      const link = readLink(readQuery(request, ['link']).link)
      const { id } = await knownGrant(request, ports)
      return framed(request, 'Revoke', question(request, id, link))
    },
    POST: {
      body: formOf({ link: fieldOf() }),
      handler: async (request, reply) => {
        const link = readLink((request.body as Form)['link'])
        const { id } = await knownGrant(request, ports)
        await revokeGrant(id, link, ports)
        return reply.redirect(pageAt(['grants', id]), 303)
      },
    },
  })
}

function readLink(text = ''): string | undefined {
  if (text === '') return undefined
  if (LINK.test(text)) return text
  const repair = 'follow the link on the page of the grant'
  throw refusal('malformed_request', 'link', { got: 'a text that is no link', repair })
}

function question(request: FastifyRequest, id: string, link: string | undefined): Markup {
  const what =
    link === undefined
      ? html`Every token of the grant <code>${id}</code> ends, and every token narrowed from one.`
      : html`The token at <code>${link}</code> ends, and every token narrowed from it. Others of the
          grant <code>${id}</code> go on.`
  return html`<form class="card narrow" method="post" action="${pageAt(['grants', id, 'revoke'])}">
    <h1>${link === undefined ? 'Revoke this grant?' : 'Revoke this branch?'}</h1>
    <p>${what} Open streams and tunnels are cut within a second. It cannot be taken back.</p>
    ${csrfField(request)}<input type="hidden" name="link" value="${link}" />
    <p class="actions">
      <button class="grave">Revoke</button
      ><a class="button light" href="${pageAt(['grants', id])}">Keep it</a>
    </p>
  </form>`
}
