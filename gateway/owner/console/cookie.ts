import type { FastifyRequest } from 'fastify'
import { CONSOLE } from './address.ts'

const NAME = 'narrowgate_console'

/**
 * The session that a browser sent. Cookies know no ports, so that another program on this host may have set one of
 * the same name: of two, neither counts.
 */
export function sessionCookie({ headers }: FastifyRequest): string {
  const values = (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${NAME}=`))
    .map((pair) => pair.slice(NAME.length + 1))
  return values.length === 1 ? (values[0] ?? '') : ''
}

/**
 * Sets or, with an empty text, takes back the cookie. It goes to the console's own addresses alone: the same host's
 * other port passes cookies on to upstreams. Behind TLS, which ends before this listener, it never leaves it.
 */
export function cookieWith(value: string, { headers }: FastifyRequest): string {
  const secure = headers['x-forwarded-proto'] === 'https' ? '; Secure' : ''
  const ended = value === '' ? '; Max-Age=0' : ''
  return `${NAME}=${value}; Path=${CONSOLE}; HttpOnly; SameSite=Strict${secure}${ended}`
}
