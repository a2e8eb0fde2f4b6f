import { Readable } from 'node:stream'
import {
  requestOfCall,
  writtenJson,
  type Envelope,
  type FieldProblem,
  type Tool,
} from '../../catalog/index.ts'
import type { DoorAround } from '../holder-door.ts'
import type { Knock, Reply } from '../knock.ts'
import { refusalOfProblems } from '../problems.ts'
import { carriedOut } from '../run/control.ts'
import { knockOfCall, sessionOf } from '../run/knock.ts'
import { STORE_TOOLS } from '../store/rows.ts'
import { isFieldValue } from '../wire/sendable.ts'
import { checkMembers } from './reading.ts'

/** The objects of a bucket, as the row STORE_LIST gives them; a page is the bucket's own. */
export async function listObjects(
  knock: Knock,
  envelope: Envelope,
  around: DoorAround,
): Promise<Reply> {
  checkMembers(envelope, ['where', 'select', 'page', 'control'])
  const { bucket, prefix } = placeIn(envelope, ['bucket', 'prefix'])
  const { limit, cursor } = envelope.page ?? {}
  const args = {
    bucket,
    ...(prefix !== undefined && { prefix }),
    ...(limit !== undefined && { limit }),
    ...(cursor !== undefined && { cursor }),
  }
  return around.exchange(callOf(STORE_TOOLS.STORE_LIST, args, { knock, envelope, around }))
}

export async function getObject(
  knock: Knock,
  envelope: Envelope,
  around: DoorAround,
): Promise<Reply> {
  checkMembers(envelope, ['where', 'select', 'control'])
  const args = placeIn(envelope, ['bucket', 'key'])
  return around.exchange(callOf(STORE_TOOLS.STORE_GET, args, { knock, envelope, around }))
}

export async function deleteObject(
  knock: Knock,
  envelope: Envelope,
  around: DoorAround,
): Promise<Reply> {
  checkMembers(envelope, ['where', 'control'])
  const args = placeIn(envelope, ['bucket', 'key'])
  return around.exchange(callOf(STORE_TOOLS.STORE_DELETE, args, { knock, envelope, around }))
}

export async function putObject(
  knock: Knock,
  envelope: Envelope,
  around: DoorAround,
): Promise<Reply> {
  checkMembers(envelope, ['where', 'args', 'control'])
  const tool = STORE_TOOLS.STORE_PUT
  const written = requestOfCall(tool, placeIn(envelope, ['bucket', 'key']))
  if (!written.ok) throw refusalOfProblems(written.problems)
  const { bytes, type } = contentOf(envelope.args ?? {})
  const { method, origin, path } = written.request
  const body = () => Readable.from([bytes])
  const length = String(bytes.length)
  return around.exchange({
    ...knock,
    shape: 'store',
    method,
    origin,
    path,
    headers: ['content-type', type, 'content-length', length, ...sessionOf(knock, around)],
    body: body(),
    trailers: () => [],
    ...carriedOut(envelope.control ?? {}, method, body),
  })
}

interface Asked {
  readonly knock: Knock
  readonly envelope: Envelope
  readonly around: DoorAround
}

function callOf(tool: Tool, args: Envelope['args'], { knock, envelope, around }: Asked): Knock {
  const { select, control } = envelope
  const call: Envelope = {
    target: tool.name,
    op: 'call',
    ...(args && { args }),
    ...(select && { select }),
    ...(control && { control }),
  }
  return knockOfCall(knock, { envelope: call, tool }, around)
}

type PlaceName = 'bucket' | 'key' | 'prefix'

/** A filter on the store names a place: `{bucket, key}`, or `{bucket, key: {prefix}}` of a list. */
function placeIn(
  { where = {} }: Envelope,
  taken: readonly PlaceName[],
): Partial<Record<PlaceName, string>> {
  const problems: FieldProblem[] = []
  const bad = (path: string, repair: string) =>
    void problems.push({ code: 'malformed_request', path, got: 'another filter', repair })
  for (const name of Object.keys(where))
    if (name !== 'bucket' && name !== 'key') bad(`where.${name}`, 'use bucket and key')
  const bucket = textIn(where['bucket'], 'eq')
  if (bucket === undefined) bad('where.bucket', 'write the name of one bucket')
  const isList = taken.includes('prefix')
  const found = textIn(where['key'], isList ? 'prefix' : 'eq')
  if (found === undefined && (!isList || where['key'] !== undefined))
    bad('where.key', isList ? 'write `{"prefix": "folder/"}`' : 'write the key of one object')
  if (problems.length > 0) throw refusalOfProblems(problems)
  const place = { bucket: bucket ?? '' }
  if (found === undefined) return place
  return isList ? { ...place, prefix: found } : { ...place, key: found }
}

/** The text of a test that stands alone; plainly written it is `eq`. */
function textIn(tests: unknown, name: 'eq' | 'prefix'): string | undefined {
  if (typeof tests === 'string') return name === 'eq' ? tests : undefined
  if (typeof tests !== 'object' || tests === null) return undefined
  const [[only, value] = [], ...others] = Object.entries(tests)
  return only === name && others.length === 0 && typeof value === 'string' ? value : undefined
}

interface Content {
  readonly bytes: Buffer
  readonly type: string
}

const FORMS = ['text', 'base64', 'json'] as const

/** What is put: exactly one of `text`, `base64` and `json`, with its media type. */
function contentOf(args: Readonly<Record<string, unknown>>): Content {
  const { content_type: type } = args
  const given = FORMS.filter((name) => args[name] !== undefined)
  const stray = Object.keys(args).find((name) => ![...FORMS, 'content_type'].includes(name))
  if (stray !== undefined) throw problem('unknown_field', `args.${stray}`, CONTENT)
  const [form] = given
  if (form === undefined || given.length > 1) throw problem('malformed_request', 'args', CONTENT)
  if (type !== undefined && (typeof type !== 'string' || !isFieldValue('content-type', type)))
    throw problem('malformed_request', 'args.content_type', 'write a media type on one line')
  const bytes = bytesOf(form, args[form])
  return { bytes, type: type ?? TYPES[form] }
}

const CONTENT = 'write one of text, base64 and json, and content_type where it has another one'

const TYPES = {
  text: 'text/plain; charset=utf-8',
  base64: 'application/octet-stream',
  json: 'application/json',
} as const

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

function bytesOf(form: (typeof FORMS)[number], value: unknown): Buffer {
  if (form === 'json') return Buffer.from(writtenJson(value))
  if (typeof value !== 'string') throw problem('malformed_request', `args.${form}`, 'write a text')
  if (form === 'text') return Buffer.from(value)
  if (BASE64.test(value)) return Buffer.from(value, 'base64')
  throw problem('malformed_request', 'args.base64', 'write base64 with its padding')
}

function problem(code: FieldProblem['code'], path: string, repair: string) {
  return refusalOfProblems([{ code, path, got: 'something else', repair }])
}
