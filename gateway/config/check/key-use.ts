import type { ConfigFiles } from '../files.ts'
import { hideGot } from '../got.ts'
import type { KeyPlace, KeyUse, PlaceholderUse } from '../key-types.ts'
import type { RawKey } from '../raw.ts'
import type { Report } from '../report.ts'
import { checkFormat, checkHeader } from './key-fields.ts'
import { buildHmac, buildOauth, buildSigV4 } from './key-signing.ts'

/** Where a part of the configuration stands, and what building it needs. */
interface KeyContext {
  readonly at: string
  readonly files: ConfigFiles
  readonly report: Report
}

type Way = 'header' | 'basic_user' | 'query' | 'placeholder' | 'sigv4' | 'hmac' | 'oauth'

/** One row for each way in which a key may get into a call. */
const WAYS: Readonly<
  Record<Way, (raw: RawKey, at: string, context: KeyContext) => KeyUse | undefined>
> = {
  header: ({ header, format }, at, { at: key, report }) =>
    report.field(at, header, (name) =>
      buildHeader(name, format, { at, formatAt: `${key}.format`, report }),
    ),
  basic_user: ({ basic_user: name }, at, { report }) =>
    report.field(at, name, (user) => ({ kind: 'basic', user })),
  query: ({ query }, at, { report }) =>
    report.field(at, query, (parameter) => ({ kind: 'query', parameter })),
  placeholder: ({ placeholder, places }, at, { at: key, report }) =>
    report.field(at, placeholder, (text) =>
      buildPlaceholder(text, report.field(`${key}.places`, places, (list) => list) ?? USUAL, {
        at,
        report,
      }),
    ),
  sigv4: ({ sigv4 }, at, { files, report }) =>
    report.field(at, sigv4, (raw) => buildSigV4(raw, files)),
  hmac: ({ hmac }, at, { report }) => report.field(at, hmac, (raw) => buildHmac(raw, at, report)),
  oauth: ({ oauth }, at, { report }) =>
    report.field(at, oauth, (raw) => buildOauth(raw, at, report)),
}

const NAMES = Object.keys(WAYS) as readonly Way[]
const USUAL: readonly KeyPlace[] = ['headers', 'query', 'path']
/** What parts a URL, and what JSON and forms escape: a placeholder with it would not be found as it stands. */
const PARTING = /[/?#&=%+"\\;]/

/** The one way that the key names. */
export function buildUse(raw: RawKey, context: KeyContext): KeyUse | undefined {
  const { at, report } = context
  const [way, ...others] = NAMES.filter((name) => raw[name] !== undefined)
  if (way === undefined || others.length > 0) {
    const got = way === undefined ? 'none of them' : [way, ...others].join(' and ')
    report.add(at, got, `set exactly one of: ${NAMES.join(', ')}`)
    return undefined
  }
  checkCompanion(raw, { of: 'header', member: 'format' }, context)
  checkCompanion(raw, { of: 'placeholder', member: 'places' }, context)
  return WAYS[way](raw, `${at}.${way}`, context)
}

function checkCompanion(
  raw: RawKey,
  { of, member }: { readonly of: Way; readonly member: 'format' | 'places' },
  { at, report }: KeyContext,
): void {
  if (raw[member] === undefined || raw[of] !== undefined) return
  report.add(`${at}.${member}`, `${member} without \`${of}\``, `remove it: it goes with ${of}`)
}

interface HeaderPlace {
  readonly at: string
  readonly formatAt: string
  readonly report: Report
}

function buildHeader(
  header: string,
  format: string | undefined,
  { at, formatAt, report }: HeaderPlace,
): KeyUse | undefined {
  if (!checkHeader(header, at, report)) return undefined
  const text = format ?? (/^authorization$/i.test(header) ? 'Bearer {}' : '{}')
  return checkFormat(text, formatAt, report) ? { kind: 'header', header, format: text } : undefined
}

function buildPlaceholder(
  text: string,
  places: readonly KeyPlace[],
  { at, report }: { readonly at: string; readonly report: Report },
): PlaceholderUse | undefined {
  const elsewhere = places.filter((place) => place !== 'headers')
  if (elsewhere.length === 0 || !PARTING.test(text)) return { kind: 'placeholder', text, places }
  report.add(
    at,
    hideGot(text),
    `leave out the characters \`/?#&=%+"\\;\`: they mean something in ${elsewhere.join(', ')}`,
  )
  return undefined
}
