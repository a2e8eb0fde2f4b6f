import type { IncomingMessage, ServerResponse } from 'node:http'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import type { Test } from 'tap'
import { flow, KEY, type TestGateway } from '../helpers/gateway.ts'
import { MOUNT } from '../helpers/shapes.ts'
import { checkStream } from '../clients/streaming.ts'
import { anthropic } from '../rig/upstreams/anthropic.ts'
import { openai } from '../rig/upstreams/openai.ts'
import type { Site } from '../rig/upstreams/site.ts'

const ASKED = [{ role: 'user' as const, content: 'say it' }]

/** What the upstream saw of the credentials, of its last request. */
interface Seen {
  fields: NodeJS.Dict<string | string[]>
}

function behind(site: Site, seen: Seen) {
  return (request: IncomingMessage, response: ServerResponse) => {
    seen.fields = request.headers
    return site.handle({ request, response, url: new URL(request.url ?? '/', 'http://up.test') })
  }
}

function mounted(slot: string): object {
  return { config: { mounts: [{ prefix: MOUNT, to: 'http://api.test', slot }] } }
}

function checkCredentials(
  t: Test,
  seen: Seen,
  options: { slot: string; sent: string; token: string },
): void {
  t.equal(seen.fields[options.slot], options.sent, 'the upstream got the real key')
  t.notOk(JSON.stringify(seen.fields).includes(options.token), 'and no token')
}

const openaiSeen: Seen = { fields: {} }
flow(
  'the openai SDK, its base URL at a mount and the token as its API key',
  {
    serve: behind(openai, openaiSeen),
    keys: [{ header: 'authorization', format: 'Bearer {}' }],
  },
  async (t: Test, gateway: TestGateway) => {
    const token = gateway.mint('tools = HTTP_POST', 'ways = mount')
    const client = new OpenAI({
      apiKey: token,
      baseURL: `http://127.0.0.1:${gateway.proxyPort}${MOUNT}/v1`,
    })
    const heard = { text: '', times: [] as number[] }
    const stream = await client.chat.completions.create({
      model: 'gpt-x',
      messages: ASKED,
      stream: true,
    })
    for await (const { choices } of stream) {
      const piece = choices[0]?.delta.content
      if (!piece) continue
      heard.text += piece
      heard.times.push(performance.now())
    }
    checkStream(t, JSON.stringify(heard))
    checkCredentials(t, openaiSeen, { slot: 'authorization', sent: `Bearer ${KEY}`, token })
    const wrong = new OpenAI({
      apiKey: gateway.mint('tools = OTHER'),
      baseURL: client.baseURL,
      maxRetries: 0,
    })
    await t.rejects(wrong.chat.completions.create({ model: 'gpt-x', messages: ASKED }), {
      status: 403,
      message: /tool_not_granted/,
    })
  },
)

const anthropicSeen: Seen = { fields: {} }
flow(
  'the anthropic SDK, with the token in x-api-key',
  {
    serve: behind(anthropic, anthropicSeen),
    keys: [{ header: 'x-api-key', format: '{}' }],
    ...mounted('x-api-key'),
  },
  async (t: Test, gateway: TestGateway) => {
    const token = gateway.mint('tools = HTTP_POST', 'ways = mount')
    const client = new Anthropic({
      apiKey: token,
      baseURL: `http://127.0.0.1:${gateway.proxyPort}${MOUNT}`,
    })
    const heard = { text: '', times: [] as number[] }
    const stream = await client.messages.create({
      model: 'claude-x',
      max_tokens: 16,
      messages: ASKED,
      stream: true,
    })
    for await (const event of stream) {
      if (event.type !== 'content_block_delta' || event.delta.type !== 'text_delta') continue
      heard.text += event.delta.text
      heard.times.push(performance.now())
    }
    checkStream(t, JSON.stringify(heard))
    checkCredentials(t, anthropicSeen, { slot: 'x-api-key', sent: KEY, token })
  },
)
