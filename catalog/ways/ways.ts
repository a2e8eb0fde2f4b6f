import type { Members } from '../check.ts'
import type { Tool } from '../tool.ts'
import { CODE } from './code.ts'
import { FUNCTION } from './function.ts'
import { GRAPH } from './graph.ts'
import { LINKS } from './links.ts'
import { MODELS } from './models.ts'
import { POSTED } from './posted.ts'
import { PROGRAMS } from './programs.ts'
import { sampleArgs } from './sample.ts'
import { shapeOf } from './shape.ts'
import { SHORTCUT } from './shortcut.ts'
import {
  TOKEN_VARIABLE,
  WAY_NAMES,
  type Unavailable,
  type Way,
  type WayEntry,
  type WayGateway,
  type WayName,
} from './types.ts'
import { WRITTEN } from './written-texts.ts'

/** What the texts of a tool are written for. */
export interface WayOptions {
  /** Undefined where no address of it is known. */
  readonly gateway: WayGateway | undefined
  /** JSON Schema of the envelope, as it is published. */
  readonly envelope: Members
  /** Arguments of the call; examples where absent. */
  readonly args?: Readonly<Record<string, unknown>> | undefined
  /** Those that are wanted; all where absent. */
  readonly names?: readonly WayName[] | undefined
}

/**
 * The texts by which a tool can be called at this gateway with this token, each as its own interpreter takes it; or why there is
 * none.
 */
export function waysOf(tool: Tool, options: WayOptions): readonly Way[] {
  const { gateway, args = sampleArgs(tool), names = WAY_NAMES } = options
  const table = tableFor(options.envelope)
  const call = gateway && { tool, args, gateway: plain(gateway) }
  const uncalled = uncallable(tool)
  return names.map((way): Way => {
    const { door, write } = table[way]
    if (call === undefined) return { way, door, ...NOWHERE }
    const isOfCall = way !== 'oip_shape' && !way.startsWith('link_')
    return { way, door, ...((isOfCall ? uncalled : undefined) ?? write(call)) }
  })
}

const NOWHERE: Unavailable = {
  unavailable: 'the gateway knows no address of its own that a text could name',
  set: 'owner.send.base in the configuration',
}

function tableFor(envelope: Members): Readonly<Record<WayName, WayEntry>> {
  const shape: WayEntry = {
    door: '/g/run',
    write: ({ tool }) => ({
      language: 'json',
      runs_with: 'a validator of JSON Schema 2020-12',
      text: `${JSON.stringify(shapeOf(tool, envelope))}\n`,
    }),
  }
  return {
    ...POSTED,
    ...WRITTEN,
    ...FUNCTION,
    ...LINKS,
    ...CODE,
    ...SHORTCUT,
    ...PROGRAMS,
    ...GRAPH,
    ...MODELS,
    oip_shape: shape,
  }
}

function uncallable({ generic, host, opaque, method }: Tool): Unavailable | undefined {
  if (host.startsWith('*') && generic !== true)
    return {
      unavailable: 'the row serves many hosts, so that its name alone says no address',
      set: 'call it by its address, through the proxy or a mount',
    }
  if (opaque === true && method === 'PUT')
    return {
      unavailable: 'its body is bytes of any kind',
      set: 'put them to the address of the object',
    }
  return undefined
}

const BASE = /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?(?:\/[\w.~-]+)*$/
const TOKEN = /^[\w.~-]+$/

/** Whether an address may stand in texts of every kind: no sign of it means something in one of them. */
export function isWayBase(base: string): boolean {
  return BASE.test(base)
}

/** The same goes for the token. */
function plain(gateway: WayGateway): WayGateway {
  const { base, token } = gateway
  if (!isWayBase(base)) throw new TypeError(`\`${base}\` is no address of a gateway`)
  if (token !== TOKEN_VARIABLE && !TOKEN.test(token)) throw new TypeError('no token has such signs')
  return gateway
}
