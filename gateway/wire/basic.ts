const BASIC = /^basic +([A-Za-z0-9+/_-]+={0,2})$/i

/** Rewrites the `user:password` inside a Basic credential (RFC 7617); any other field value stays as it is. */
export function mapBasic(value: string, map: (credentials: string) => string): string {
  const encoded = BASIC.exec(value)?.[1]
  if (encoded === undefined) return value
  const credentials = Buffer.from(encoded, 'base64').toString('utf8')
  const mapped = map(credentials)
  return mapped === credentials ? value : `Basic ${Buffer.from(mapped).toString('base64')}`
}
