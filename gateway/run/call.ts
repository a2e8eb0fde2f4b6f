import {
  argsOfTexts,
  callOfText,
  envelopeOfForm,
  genericTool,
  type Envelope,
  type ParsedEnvelope,
  type QueryArgs,
  type Tool,
} from '../../catalog/index.ts'
import type { Knock } from '../knock.ts'
import type { Limits } from '../limits.ts'
import { refusalOfProblems } from '../problems.ts'
import { refusal } from '../refusal.ts'
import { doorPath } from './address.ts'
import { readBody } from './body.ts'

/** What the doors that run tools look up. */
export interface RunPorts {
  readonly tool: (name: string) => Tool | undefined
  readonly limits: Pick<Limits, 'judgedBodyBytes'>
}

/** A call, and the row that it names. */
export interface NamedCall {
  readonly envelope: Envelope
  readonly tool: Tool
}

/** What is done to a collection of the gateway. */
export interface CollectionCall {
  readonly collection: Envelope
}

/**
 * The call that a knock of these doors asks for.
 * @throws Refusal for what is no call, or of no tool
 */
export async function readCall(knock: Knock, ports: RunPorts): Promise<NamedCall | CollectionCall> {
  if (doorPath(knock.path).rest !== undefined) return readLink(knock, ports)
  if (knock.method !== 'POST') throw methodNotTaken(knock.method, 'POST')
  const body = await readBody(knock, ports.limits)
  if ('text' in body) return ofText(body.text, ports)
  const envelope = unwrap(envelopeOfForm(body.value))
  return envelope.op === 'call' ? ofEnvelope(envelope, ports) : ofCollection(envelope)
}

function ofCollection(envelope: Envelope): CollectionCall {
  if (envelope.with !== undefined) throw waitsForOthers()
  return { collection: envelope }
}

/**
 * A call that is made by itself, and the row that it names.
 * @throws Refusal
 */
export function ofEnvelope(envelope: Envelope, ports: Pick<RunPorts, 'tool'>): NamedCall {
  if (envelope.op !== 'call') throw collectionNotServed(envelope)
  if (envelope.with !== undefined) throw waitsForOthers()
  return { envelope, tool: toolOf(envelope.target, ports) }
}

/**
 * The call that an address is: its tool's name, then values for its arguments in the order of the row, then others by their names.
 * @throws Refusal
 */
export function readLink({ path }: Knock, ports: Pick<RunPorts, 'tool'>): NamedCall {
  const { rest = '', query } = doorPath(path)
  const [name = '', ...values] = rest.split('/')
  const tool = toolOf(name, ports)
  return ofTexts(name, { ...textsInOrder(tool, values, query), ...query }, ports)
}

function textsInOrder(tool: Tool, values: readonly string[], query: QueryArgs): QueryArgs {
  const names = Object.keys(tool.args.properties)
  if (values.length > names.length)
    throw refusal('malformed_request', 'path', {
      got: `${values.length} values`,
      repair: `write at most ${names.length}: the tool has no more arguments`,
    })
  const texts = values.map((value, at) => [names[at]!, decoded(value, names[at]!)] as const)
  const twice = texts.find(([name]) => Object.hasOwn(query, name))
  if (twice === undefined) return Object.fromEntries(texts)
  throw refusal('malformed_request', `args.${twice[0]}`, {
    got: 'a value in the path and one in the query',
    repair: 'write one of them',
  })
}

function decoded(value: string, name: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    const repair = 'percent-encode its UTF-8 bytes'
    throw refusal('malformed_request', `args.${name}`, {
      got: `\`${value.slice(0, 128)}\``,
      repair,
    })
  }
}

/** A call whose arguments are all texts. */
function ofTexts(name: string, texts: QueryArgs, ports: Pick<RunPorts, 'tool'>): NamedCall {
  const tool = toolOf(name, ports)
  const read = argsOfTexts(tool, texts)
  if (!read.ok) throw refusalOfProblems(read.problems)
  return { tool, envelope: { target: tool.name, op: 'call', args: read.args } }
}

function ofText(text: string, ports: RunPorts): NamedCall {
  const read = callOfText(text)
  if ('fault' in read) {
    const repair = 'write `NAME key="value"`, or one `<call tool="NAME" key="value"/>`'
    throw refusal('malformed_request', 'body', { got: read.fault, repair })
  }
  return ofTexts(read.tool, read.texts, ports)
}

const GENERIC = /^HTTP_([A-Z]+)$/

/** The row of this name, or the generic one that is called by its name too. */
export function toolNamed(name: string, { tool }: Pick<RunPorts, 'tool'>): Tool | undefined {
  const method = GENERIC.exec(name)?.[1]
  return method === undefined ? tool(name) : genericTool(method)
}

/**
 * The same, where there is one.
 * @throws Refusal
 */
export function toolOf(name: string, ports: Pick<RunPorts, 'tool'>): Tool {
  const found = toolNamed(name, ports)
  if (found !== undefined) return found
  throw refusal('not_found', 'tool', {
    got: `\`${name.slice(0, 128)}\``,
    repair: 'use the name of a row of the catalog: `narrowgate find` tells them',
  })
}

function unwrap(read: ParsedEnvelope): Envelope {
  if (!read.ok) throw refusalOfProblems(read.problems)
  return read.envelope
}

export function waitsForOthers() {
  const repair = 'send the calls that need each other as one batch'
  return refusal('not_supported', 'with', { got: 'a call that is made by itself', repair })
}

export function collectionNotServed({ target }: Envelope) {
  const repair = 'call a row; collections have their own addresses'
  return refusal('not_supported', 'target', { got: target, repair })
}

export function methodNotTaken(method: string, methods: string) {
  const got = `\`${method.slice(0, 32)}\``
  return refusal('method_not_allowed', 'method', { got, repair: `use ${methods}` })
}
