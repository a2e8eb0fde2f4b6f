import type { FastifyRequest } from 'fastify'
import { refusal, type Refusal } from '../../refusal.ts'
import { sameText, type ConsoleSession } from './sessions.ts'

/**
 * Refuses what another site's page sent. Browsers say `Origin: null` from pages that name their address to nobody, as
 * these do; then `Sec-Fetch-Site` tells, where the browser knows it, and the form's own word in any case.
 * @throws Refusal `form_refused`
 */
export function checkOrigin({ headers }: FastifyRequest): void {
  const { origin, host } = headers
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') throw foreign(`a request from \`${site}\``)
  if (origin === undefined || origin === 'null') return
  if (origin !== `http://${host}` && origin !== `https://${host}`)
    throw foreign(`a request from \`${origin.slice(0, 200)}\``)
}

/** @throws Refusal `form_refused` where a form was not made for this very session */
export function checkForm(body: unknown, { csrf }: ConsoleSession): void {
  const sent = (body as { readonly csrf?: unknown } | undefined)?.csrf
  if (typeof sent === 'string' && sameText(sent, csrf)) return
  throw foreign('a form of another session, or none')
}

function foreign(got: string): Refusal {
  const repair = 'open the page in the console anew, and send its form'
  return refusal('form_refused', 'form', { got, repair })
}
