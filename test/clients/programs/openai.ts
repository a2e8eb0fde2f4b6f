/** One streamed chat completion; prints what was heard, and when. */
import OpenAI from 'openai'
import { EnvHttpProxyAgent, setGlobalDispatcher } from 'undici'

setGlobalDispatcher(new EnvHttpProxyAgent())
const client = new OpenAI({
  apiKey: 'none: the gateway has it',
  baseURL: 'https://openai.ng.test/v1',
})
const stream = await client.chat.completions.create({
  model: 'gpt-rig',
  messages: [{ role: 'user', content: 'say it' }],
  stream: true,
})
const heard = { text: '', times: [] as number[] }
for await (const chunk of stream) {
  const piece = chunk.choices[0]?.delta.content
  if (piece === undefined || piece === null || piece === '') continue
  heard.text += piece
  heard.times.push(performance.now())
}
process.stdout.write(JSON.stringify(heard))
