import { parseRequestHead } from '../../../catalog/index.ts'
import type { RequestHead } from '../../../catalog/index.ts'

/** A request that the fast engine serves: HTTP/1.1, with no body or one of a known length, and nothing special. */
export interface PlainRequest extends RequestHead {
  /** Bytes of the body. */
  readonly length: number
  /** Whether a body was announced at all; one of length 0 is none. */
  readonly close: boolean
}

const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
])

// The authority of an absolute target is read leniently by some; what is not plainly a host and a port is left to others.
const TARGET = /^(?:http:\/\/[A-Za-z0-9.-]+(?::\d{1,5})?)?\/[^#]*$/i

/**
 * Reads the text of a head. Undefined is said of all that the general engine has to look at: bodies in chunks,
 * expectations, upgrades, odd connection options, and whatever is not written as RFC 9112 has it.
 */
export function readPlainRequest(text: string): PlainRequest | undefined {
  // White space that readers treat otherwise, behind a length for one; hardly anybody writes it.
  if (text.includes('\t')) return undefined
  const head = parseRequestHead(text)
  if (head === undefined || !METHODS.has(head.method) || !TARGET.test(head.target)) return undefined
  const found = readFields(head.headers)
  if (found === undefined || found.hosts !== 1) return undefined
  const { method, target, headers } = head
  return { method, target, headers, length: found.length ?? 0, close: found.close }
}

interface Found {
  hosts: number
  length: number | undefined
  close: boolean
}

/** Looks at the fields that say how the request is framed, and what becomes of its connection. */
function readFields(headers: RequestHead['headers']): Found | undefined {
  const found: Found = { hosts: 0, length: undefined, close: false }
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] as string
    // Names of other lengths mean nothing here, and most have one.
    const telling = TELLING_LENGTHS[name.length] === 1
    if (telling && !takeField(found, name.toLowerCase(), headers[at + 1] as string))
      return undefined
  }
  return found
}

const TELLING = [
  'host',
  'content-length',
  'connection',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'expect',
  'trailer',
]
const TELLING_LENGTHS = new Uint8Array(65_536)
for (const name of TELLING) TELLING_LENGTHS[name.length] = 1

const LENGTH = /^(?:0|[1-9]\d{0,14})$/

/** False where the request is not a plain one. */
function takeField(found: Found, name: string, value: string): boolean {
  switch (name) {
    case 'host':
      found.hosts += 1
      return true
    case 'content-length':
      if (found.length !== undefined || !LENGTH.test(value)) return false
      found.length = Number(value)
      return true
    case 'connection':
      return takeOption(found, value.toLowerCase())
    case 'proxy-connection':
      found.close ||= value.toLowerCase() === 'close'
      return true
    case 'transfer-encoding':
    case 'upgrade':
    case 'expect':
    case 'trailer':
      return false
    default:
      return true
  }
}

function takeOption(found: Found, option: string): boolean {
  if (option === 'close') found.close = true
  return option === 'close' || option === 'keep-alive'
}
