import { isSafe } from '../safe.ts'
import { encoded } from '../written-text.ts'
import { writtenJson } from '../written-json.ts'
import { textsOf, type Texts } from './texts.ts'
import type { WayCall, WayTable, WayGateway, Written } from './types.ts'

/** An address under which a token can be used, with the token in it. */
export interface TokenLink {
  readonly name: string
  readonly says: string
  readonly url: string
}

/** The three links that every token is given out with; `base` is where holders reach the gateway. */
export function tokenLinks(
  base: string,
  token: string,
): readonly [TokenLink, TokenLink, TokenLink] {
  const own = `${base}/g/${token}`
  return [
    { name: 'Link', says: 'for a person: what the token allows', url: own },
    { name: 'REST', says: 'for a program: runs a tool', url: `${own}/run` },
    { name: 'MCP', says: 'for a model: its tools', url: `${own}/mcp` },
  ]
}

/** Ways whose text is an address. */
export const LINKS: WayTable<
  'url' | 'named' | 'sse' | 'console_app' | 'link_page' | 'link_rest' | 'link_mcp'
> = {
  url: {
    door: '/g/run',
    write: (call) => {
      const texts = textsOf(call)
      if ('unavailable' in texts) return texts
      return link(`${own(call.gateway)}/run/${call.tool.name}${queryOf(texts)}`, methodFor(call))
    },
  },
  named: {
    door: '/g/run',
    write: (call) => {
      const texts = textsOf(call)
      if ('unavailable' in texts) return texts
      return link(
        `${own(call.gateway)}/run/${call.tool.name}${inOrder(call, texts)}`,
        methodFor(call),
      )
    },
  },
  sse: {
    door: '/g/sse',
    write: (call) => {
      if (!isSafe(call.tool))
        return {
          unavailable:
            'a client of events sends its request again by itself, and the tool may change something',
          set: 'post it to `/g/run`, or open a WebSocket',
        }
      const texts = textsOf(call)
      if ('unavailable' in texts) return texts
      return link(`${own(call.gateway)}/sse/${call.tool.name}${queryOf(texts)}`, 'EventSource')
    },
  },
  console_app: {
    door: '/console/tools',
    write: ({ tool, args, gateway: { console } }) => {
      if (console === undefined)
        return {
          unavailable: 'where the console is, is not known here',
          set: 'ask the owner’s door for it: `GET /api/contracts/<tool>`',
        }
      const query = `args=${encoded(writtenJson(args))}`
      return link(`${console}/console/tools/${tool.name}?${query}`, 'a browser of the owner')
    },
  },
  link_page: {
    door: '/g',
    write: ({ gateway: { base, token } }) => link(tokenLinks(base, token)[0].url, 'a browser'),
  },
  link_rest: {
    door: '/g/run',
    write: ({ gateway: { base, token } }) => link(tokenLinks(base, token)[1].url, 'POST'),
  },
  link_mcp: {
    door: '/g/mcp',
    write: ({ gateway: { base, token } }) => link(tokenLinks(base, token)[2].url, 'an MCP client'),
  },
}

function link(text: string, runs_with: string): Written {
  return { language: 'url', runs_with, text }
}

/** The address under which this token has doors of its own. */
function own({ base, token }: WayGateway): string {
  return `${base}/g/${token}`
}

/** The method with which a link to a tool runs it. */
function methodFor({ tool }: Pick<WayCall, 'tool'>): 'GET' | 'POST' {
  return isSafe(tool) ? 'GET' : 'POST'
}

/** Values as segments, in the order of the row; from the first on that cannot be one they stand in the query. */
function inOrder({ tool }: WayCall, texts: Texts): string {
  const given = new Map(texts)
  const names = Object.keys(tool.args.properties)
  const found = names.findIndex((name) => !isSegment(given.get(name)))
  const placed = names.slice(0, found < 0 ? names.length : found)
  const segments = placed.map((name) => `/${encoded(given.get(name) ?? '')}`)
  return segments.join('') + queryOf(texts.filter(([name]) => !placed.includes(name)))
}

/** Programs resolve dots in a path, and some take an empty segment away. */
function isSegment(text: string | undefined): boolean {
  return text !== undefined && !['', '.', '..'].includes(text)
}

function queryOf(texts: Texts): string {
  const pairs = texts.map(([name, text]) => `${encoded(name)}=${encoded(text)}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}
