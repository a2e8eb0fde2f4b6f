import type { RawHeaders } from '../../adapters/upstream/port.ts'
import type { KeyUse } from '../config/key-types.ts'
import { mapBasic } from './basic.ts'
import { setHeader } from './headers.ts'

/** A key, or the access token that it was exchanged for, and how it gets into the call. */
export interface HeadKey {
  readonly use: KeyUse
  readonly key: string
}

/** Puts the keys into the fields of the head; what goes elsewhere is left alone. */
export function armHead(headers: RawHeaders, keys: readonly HeadKey[]): RawHeaders {
  return keys.reduce((fields, { use, key }) => put(fields, use, key), headers)
}

function put(headers: RawHeaders, use: KeyUse, key: string): RawHeaders {
  switch (use.kind) {
    case 'header':
      return setHeader(
        headers,
        use.header,
        use.format.replace('{}', () => key),
      )
    case 'basic':
      return setHeader(headers, 'Authorization', basic(`${use.user}:${key}`))
    case 'oauth':
      return setHeader(headers, 'Authorization', `Bearer ${key}`)
    case 'placeholder':
      return use.places.includes('headers')
        ? mapValues(headers, (value) => replacePlaceholder(value, use.text, key))
        : headers
    case 'query':
    case 'sigv4':
    case 'hmac':
      return headers
  }
}

function basic(credentials: string): string {
  return `Basic ${Buffer.from(credentials).toString('base64')}`
}

function replacePlaceholder(value: string, placeholder: string, key: string): string {
  const replaced = value.replaceAll(placeholder, () => key)
  return mapBasic(replaced, (credentials) => credentials.replaceAll(placeholder, () => key))
}

function mapValues(headers: RawHeaders, map: (value: string) => string): RawHeaders {
  return headers.map((text, index) => (index % 2 === 1 ? map(text) : text))
}
