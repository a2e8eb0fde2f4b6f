import type { Framing } from '../framing.ts'

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
// oxlint-disable-next-line no-control-regex -- these are what no value may hold
const FORBIDDEN = /[^\t\x20-\x7e\x80-\xff]/

/**
 * The bytes of a request's head, a byte a character. Throws a TypeError where a field could not be read back as it
 * was given: what comes from elsewhere (a key, for one) must not make two requests of one.
 */
export function requestHead(method: string, target: string, { headers }: Framing): string {
  if (!NAME.test(method) || !/^[\x21-\x7e]+$/.test(target))
    throw new TypeError(
      'the request line holds what no request line may; refuse it before it is judged',
    )
  let text = `${method} ${target} HTTP/1.1\r\n`
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] as string
    const value = headers[at + 1] as string
    if (!NAME.test(name) || FORBIDDEN.test(value))
      throw new TypeError(`the header \`${NAME.test(name) ? name : '?'}\` holds what no field may`)
    text += `${name}: ${value}\r\n`
  }
  return `${text}Connection: keep-alive\r\n\r\n`
}
