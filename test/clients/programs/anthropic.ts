/** One streamed message; prints what was heard, and when. */
import Anthropic from '@anthropic-ai/sdk'
import { EnvHttpProxyAgent, setGlobalDispatcher } from 'undici'

setGlobalDispatcher(new EnvHttpProxyAgent())
const client = new Anthropic({
  apiKey: 'none: the gateway has it',
  baseURL: 'https://anthropic.ng.test',
})
const stream = await client.messages.create({
  model: 'claude-rig',
  max_tokens: 16,
  messages: [{ role: 'user', content: 'say it' }],
  stream: true,
})
const heard = { text: '', times: [] as number[] }
for await (const event of stream) {
  if (event.type !== 'content_block_delta' || event.delta.type !== 'text_delta') continue
  heard.text += event.delta.text
  heard.times.push(performance.now())
}
process.stdout.write(JSON.stringify(heard))
