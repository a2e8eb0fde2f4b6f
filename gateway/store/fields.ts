import type { HttpMetadata, PutOptions, StoredObject } from '../../adapters/objects/port.ts'
import type { RawHeaders } from '../../adapters/upstream/port.ts'
import { refusal } from '../refusal.ts'
import { readDate, type HeaderOf } from './conditions.ts'

const CUSTOM = 'x-meta-'
const NAMES = {
  contentType: 'content-type',
  contentLanguage: 'content-language',
  contentDisposition: 'content-disposition',
  contentEncoding: 'content-encoding',
  cacheControl: 'cache-control',
} as const satisfies Partial<Record<keyof HttpMetadata, string>>
const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const FIELD_VALUE = /^[^\x00-\x1f\x7f]*$/

/**
 * What the fields of a request say of the object that it brings.
 * @throws Refusal where one cannot be kept
 */
export function readFields(
  headers: RawHeaders,
  header: HeaderOf,
): Pick<PutOptions, 'httpMetadata' | 'customMetadata' | 'checksums'> {
  const http = Object.entries(NAMES).flatMap(([key, name]) => {
    const value = header(name)
    return value === undefined ? [] : [[key, value] as const]
  })
  const cacheExpiry = readDate(header('expires'))
  const md5 = header('content-md5')
  return {
    httpMetadata: {
      ...Object.fromEntries(http),
      ...(cacheExpiry === undefined ? {} : { cacheExpiry }),
    },
    customMetadata: readCustom(headers),
    ...(md5 === undefined ? {} : { checksums: { md5: hexOf(md5) } }),
  }
}

function readCustom(headers: RawHeaders): Readonly<Record<string, string>> {
  const found = new Map<string, string>()
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = (headers[at] ?? '').toLowerCase()
    if (!name.startsWith(CUSTOM) || name === CUSTOM) continue
    if (found.has(name))
      throw refusal('malformed_request', name, { got: 'two lines', repair: 'send the field once' })
    found.set(name, textOf(name, headers[at + 1] ?? ''))
  }
  return Object.fromEntries([...found].map(([name, value]) => [name.slice(CUSTOM.length), value]))
}

/** Fields come as bytes, one a character. */
function textOf(name: string, value: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'))
  } catch {
    throw refusal('malformed_request', name, { got: 'bytes', repair: 'send it in UTF-8' })
  }
}

function hexOf(base64: string): string {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length === 16 && bytes.toString('base64') === base64.trim())
    return bytes.toString('hex')
  const repair = 'send the MD5 of the body in base64'
  throw refusal('malformed_request', 'content-md5', { got: 'no MD5', repair })
}

/**
 * The fields of an answer that gives the object, but for its length. Whatever it holds, no browser runs it with the rights of
 * this address.
 */
export function fieldsOf(object: StoredObject): string[] {
  const { httpMetadata, customMetadata, httpEtag, uploaded } = object
  const fields = ['etag', httpEtag, 'last-modified', new Date(uploaded).toUTCString()]
  fields.push('accept-ranges', 'bytes', 'content-security-policy', "default-src 'none'; sandbox")
  for (const [key, name] of Object.entries(NAMES) as [keyof typeof NAMES, string][]) {
    const value =
      httpMetadata[key] ?? (key === 'contentType' ? 'application/octet-stream' : undefined)
    if (value !== undefined) fields.push(name, bytesOf(value))
  }
  if (httpMetadata.cacheExpiry !== undefined)
    fields.push('expires', new Date(httpMetadata.cacheExpiry).toUTCString())
  for (const [name, value] of Object.entries(customMetadata)) {
    // What was stored by other ways than this one may not fit a field.
    if (FIELD_NAME.test(name) && FIELD_VALUE.test(value)) fields.push(CUSTOM + name, bytesOf(value))
  }
  return fields
}

function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}
