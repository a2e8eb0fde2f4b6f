import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Setup, TestGateway } from '../helpers/gateway.ts'
import { HOST } from '../helpers/shapes.ts'
import { answerJson, bodyOf } from '../helpers/upstream.ts'

interface Seen {
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** What came to the upstreams since calls were last posted. */
export let seen: readonly Seen[] = []

/** Answers to `slow`, which wait until they are let go. */
const held: (() => void)[] = []
let isLetGo = false

export function letGo(): void {
  isLetGo = true
  for (const answer of held.splice(0)) answer()
}

/** What the models of the test answer to a text. */
export const TEXTS: Readonly<Record<string, string>> = {
  json: '{"a":[1,12345678901234567890]}',
  fence: '```json\n{"b":true}\n```',
  list: '["x","{{topic}}"]',
}

/** A server of chat completions, and one of messages, as their clients know them. */
async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const body = (await bodyOf(req)).toString()
  const { url = '', headers } = req
  seen = [...seen, { url, headers, body }]
  const asked = JSON.parse(body)
  const text: string = asked.messages.at(-1).content
  if (text === 'slow' && !isLetGo) await new Promise<void>((resolve) => held.push(resolve))
  if (text === 'never') return
  if (text === 'fail') return answerJson(res, { error: { message: 'no' } }, 500)
  const answer = TEXTS[text] ?? `${asked.model}: ${text}`
  if (url === '/v1/messages')
    return answerJson(res, {
      type: 'message',
      content: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: answer },
        { type: 'text', text: '!' },
      ],
      stop_reason: 'end_turn',
      usage: { input_tokens: 3, output_tokens: 2 },
    })
  answerJson(res, {
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: answer } }],
    usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 },
  })
}

/** Two upstreams of models, and the table that leads to them. */
export const SETUP: Setup = {
  rows: [
    {
      name: 'CHAT',
      method: 'POST',
      path: '/v1/chat/completions',
      model: 'model',
      want: { select: ['id'] },
    },
  ],
  keys: [
    { header: 'authorization', paths: ['/v1/chat/*'] },
    { header: 'x-api-key', paths: ['/v1/messages'] },
  ],
  config: {
    models: {
      default_model: 'small',
      table: [
        { name: 'gpt-*', tool: 'CHAT', dialect: 'openai' },
        { name: 'gpt-strange', tool: 'CHAT', dialect: 'anthropic' },
        { name: 'small', tool: 'CHAT', dialect: 'openai', model: 'gpt-4o-mini' },
        {
          name: 'claude-*',
          tool: 'MESSAGES',
          url: `http://${HOST}/v1/messages`,
          dialect: 'anthropic',
        },
      ],
    },
  },
  serve,
}

export interface Result {
  readonly key: string
  readonly ok: boolean
  readonly status: number
  readonly label?: string
  readonly output?: unknown
  readonly finish_reason?: string
  readonly usage?: object
  readonly error?: { readonly code: string; readonly reasons: readonly { repair: string }[] }
  readonly receipt?: string
}

/** Posts calls as a batch. */
export function post(gateway: TestGateway, token: string, calls: unknown, accept = '*/*') {
  return fetch(`http://127.0.0.1:${gateway.proxyPort}/g/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, accept },
    body: JSON.stringify(calls),
  })
}

/** Posts calls, and gives what came of them. */
export async function resultsOf(gateway: TestGateway, token: string, calls: unknown) {
  seen = []
  const text = await (await post(gateway, token, calls)).text()
  const { results = [] } = JSON.parse(text) as { readonly results?: readonly Result[] }
  return { text, results, of: (key: string) => results.find((one) => one.key === key) }
}

/** The code with which a call was refused, if it was. */
export const codeOf = (result: Result | undefined) => result?.error?.code
