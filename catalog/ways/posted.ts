import type { Written, WayTable, WayGateway, WayCall } from './types.ts'
import { contractOf } from '../contract.ts'
import { writtenJson } from '../written-json.ts'
import { shellWord } from './quote/shell.ts'

/** Something that is posted to a door. */
interface Posted {
  /** A door that takes the token in its path has it there. */
  readonly path: string
  /** Holds no line that is `end`. */
  readonly body: string
  readonly type?: string
  readonly accept?: string
}

/** Ways whose text posts a document to a door of its own. */
export const POSTED: WayTable<'curl' | 'run' | 'oip' | 'function_call' | 'jsonrpc' | 'webhook'> = {
  curl: {
    door: '/g/run',
    write: ({ tool, args, gateway: { base, token } }) =>
      shell(
        `curl -sS -H "Authorization: Bearer ${token}" -H 'Content-Type: application/json' \\
  --data-raw ${shellWord(callJson(tool.name, args))} "${base}/g/run"\n`,
      ),
  },
  run: {
    door: '/g/run',
    write: ({ tool, args, gateway }) =>
      shell(postScript(gateway, { path: '/g/run', body: callJson(tool.name, args) })),
  },
  oip: {
    door: '/g/run',
    write: (call) => {
      const body = writtenJson(envelopeFor(call))
      return shell(postScript(call.gateway, { path: '/g/run', body }))
    },
  },
  function_call: {
    door: '/g/run',
    write: ({ tool, args, gateway }) => {
      const body = writtenJson({ name: tool.name, arguments: writtenJson(args) })
      const { name, summary: description, input_schema: parameters } = contractOf(tool)
      return {
        ...shell(postScript(gateway, { path: '/g/run', body })),
        definition: { type: 'function', function: { name, description, parameters } },
      }
    },
  },
  jsonrpc: {
    door: '/g/rpc',
    write: ({ tool, args, gateway }) => {
      const body = writtenJson({ jsonrpc: '2.0', id: 1, method: tool.name, params: args })
      return shell(postScript(gateway, { path: '/g/rpc', body }))
    },
  },
  webhook: {
    door: '/g/hook',
    write: ({ tool, args, gateway }) => {
      if (gateway.closed.includes('webhook'))
        return { unavailable: 'the door is closed', set: '`doors: {webhook: true}`' }
      const path = `/g/${gateway.token}/hook/${tool.name}`
      return shell(postScript(gateway, { path, body: writtenJson(args) }))
    },
  },
}

/** The call as an envelope. */
function envelopeFor({ tool, args }: Pick<WayCall, 'tool' | 'args'>): object {
  return { target: tool.name, op: 'call', args }
}

/** `{"tool", "args"}` as JSON text. */
export function callJson(tool: string, args: WayCall['args']): string {
  return writtenJson({ tool, args })
}

/** A command that posts a body as it stands there. */
export function postScript({ base, token }: WayGateway, posted: Posted): string {
  const { path, body, type = 'application/json', accept } = posted
  const headers = [
    ...(path.includes(token) ? [] : [`"Authorization: Bearer ${token}"`]),
    `'Content-Type: ${type}'`,
    ...(accept === undefined ? [] : [`'Accept: ${accept}'`]),
  ]
  return [
    `curl -sS${headers.map((header) => ` -H ${header}`).join('')} \\`,
    `  --data-binary @- "${base}${path}" <<'end'`,
    body,
    'end',
    '',
  ].join('\n')
}

/** A text for a POSIX shell. */
export function shell(text: string): Written {
  return { language: 'shell', runs_with: 'sh', text }
}
