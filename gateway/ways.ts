import { readFileSync } from 'node:fs'
import {
  canonicalAuthority,
  contractOf,
  isWayBase,
  parseJsonBody,
  requestOfCall,
  TOKEN_VARIABLE,
  WAY_NAMES,
  waysOf,
  type Tool,
  type Way,
  type WayGateway,
  type WayName,
} from '../catalog/index.ts'
import type { Config } from './config/types.ts'
import { readParameters } from './parameters.ts'
import { refusalOfProblems } from './problems.ts'
import { refusal, type Refusal } from './refusal.ts'

/** Who asks for the ways of a tool, and where. */
export interface WayPlace {
  readonly config: Pick<Config, 'ways' | 'doors' | 'owner'>
  /** Undefined where none is at hand: the texts name a variable in its place. */
  readonly token: string | undefined
  /** The authority under which holders reach the gateway where the configuration says none. */
  readonly host: string | undefined
  /** Where the console is, if the configuration does not say it. */
  readonly console?: string | undefined
}

// Read, not imported: Node 20 warns on every start about an import of JSON.
const ENVELOPE = JSON.parse(
  readFileSync(new URL('../catalog/envelope.schema.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, unknown>>

/** Another name that a way goes by. */
const ALIASES: Readonly<Record<string, WayName>> = { misc: 'cli' }

const anyText = () => undefined
const QUERY = { ways: anyText, args: anyText }

/**
 * Everything about a tool with the texts by which it is called; `query` may name the ways and the arguments.
 * @throws Refusal
 */
export function contractWithWays(tool: Tool, query: unknown, place: WayPlace): object {
  const { ways, args } = readParameters(query, QUERY)
  const names = ways === undefined ? undefined : wayNames(ways.split(','))
  return {
    ...contractOf(tool),
    ways: toolWays(tool, { place, names, args: args === undefined ? undefined : argsIn(args) }),
  }
}

/** What is asked for: arguments are examples, and ways are all of them, where nothing else is said. */
export interface WaysAsked {
  readonly place: WayPlace
  readonly names?: readonly WayName[] | undefined
  readonly args?: Readonly<Record<string, unknown>> | undefined
}

/**
 * The texts by which a tool is called.
 * @throws Refusal for arguments that the tool does not take
 */
export function toolWays(tool: Tool, { place, names, args }: WaysAsked): readonly Way[] {
  if (args !== undefined && isWritten(tool)) {
    const written = requestOfCall(tool, args)
    if (!written.ok) throw refusalOfProblems(written.problems)
  }
  return waysOf(tool, { gateway: gatewayOf(place), envelope: ENVELOPE, args, names })
}

/** Whether a call of it becomes a request that a row alone describes. */
function isWritten({ generic, host, mcp }: Tool): boolean {
  return generic === true || (mcp === undefined && !host.startsWith('*'))
}

/**
 * Ways by their names.
 * @throws Refusal for one that is none
 */
export function wayNames(names: readonly string[]): readonly WayName[] {
  return names.map((name) => {
    const known = ALIASES[name] ?? WAY_NAMES.find((way) => way === name)
    if (known !== undefined) return known
    const got = `\`${name.slice(0, 80)}\``
    throw refusal('malformed_request', 'ways', { got, repair: `use: ${WAY_NAMES.join(', ')}` })
  })
}

function argsIn(text: string): Readonly<Record<string, unknown>> {
  const read = parseJsonBody(Buffer.from(text))
  if (!read.ok) throw noArgs(read.reason)
  if (!text.trimStart().startsWith('{')) throw noArgs('JSON that is no object')
  return read.value as Readonly<Record<string, unknown>>
}

function noArgs(got: string): Refusal {
  const repair = 'write the arguments as a JSON object: `args={"name":"value"}`'
  return refusal('malformed_request', 'args', { got, repair })
}

/** Undefined where nobody knows an address of it that a text could name. */
function gatewayOf({ config, host = '', ...place }: WayPlace): WayGateway | undefined {
  const { ways, doors, owner } = config
  const reached = canonicalAuthority(host, 80).ok ? [`http://${host}`] : []
  const base = [...(owner.send === undefined ? [] : [owner.send.base]), ...reached].find(isWayBase)
  if (base === undefined) return undefined
  return {
    base,
    token: place.token ?? TOKEN_VARIABLE,
    console: ways.console ?? place.console,
    sshHost: ways.sshHost,
    closed: (['graphql', 'webhook'] as const).filter((door) => !doors[door]),
  }
}
