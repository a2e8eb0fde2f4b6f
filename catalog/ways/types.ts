import type { Tool } from '../tool.ts'

/** The ways in which a tool can be called, each as a text that runs as it stands. */
export const WAY_NAMES = [
  'curl',
  'named',
  'url',
  'jsonrpc',
  'claude_code',
  'cli',
  'console_app',
  'line',
  'tag',
  'shortcut',
  'webhook',
  'shell',
  'run',
  'mcp',
  'oip',
  'oip_shape',
  'function_call',
  'js',
  'python',
  'sdk',
  'function_direct',
  'mcp_stdio',
  'ssh',
  'graphql',
  'websocket',
  'sse',
  'link_page',
  'link_rest',
  'link_mcp',
] as const

export type WayName = (typeof WAY_NAMES)[number]

/** Doors that stay closed until the configuration opens them. */
export type ClosedDoor = 'graphql' | 'webhook'

/** The gateway and the token that texts are written for. */
export interface WayGateway {
  /** Where holders reach it: scheme and authority, without a trailing slash. */
  readonly base: string
  /** A token, or TOKEN_VARIABLE where none is at hand. */
  readonly token: string
  /** Where the owner's console is, as `base`; undefined where it is not known. */
  readonly console?: string | undefined
  /** The machine on which the command line is set up, as `ssh` takes it. */
  readonly sshHost?: string | undefined
  readonly closed: readonly ClosedDoor[]
}

/** Stands in the place of a token: a shell, JavaScript and Python read the variable. */
export const TOKEN_VARIABLE = '$NARROWGATE_TOKEN'

/** A call that is to be written. */
export interface WayCall {
  readonly tool: Tool
  readonly args: Readonly<Record<string, unknown>>
  readonly gateway: WayGateway
}

/** What its text is written in. */
export type Language = 'shell' | 'url' | 'json' | 'javascript' | 'python'

/** A text, and who runs it. */
export interface Written {
  readonly language: Language
  /** The interpreter that takes the text as it is. */
  readonly runs_with: string
  readonly text: string
  /** Of `function_call`: the tool as a model is told of it. */
  readonly definition?: object
}

/** Why there is no text, and what changes that. */
export interface Unavailable {
  readonly unavailable: string
  readonly set: string
}

/** One way of a tool. */
export type Way = { readonly way: WayName; readonly door: string } & (Written | Unavailable)

/** How the texts of one way are written, and the door that they lead to, without a token. */
export interface WayEntry {
  readonly door: string
  readonly write: (call: WayCall) => Written | Unavailable
}

/** How some of the ways are written. */
export type WayTable<Names extends WayName> = Readonly<Record<Names, WayEntry>>
