/** Node's own https, led through the proxy by global-agent's variables. */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import { bootstrap } from 'global-agent'
import { exercise } from './library.ts'

bootstrap()
const ask = async (url: string, body?: Buffer): Promise<IncomingMessage> => {
  const call = request(url, { method: body === undefined ? 'GET' : 'POST' }).end(body)
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(await text(response))
  return response
}
await exercise({
  get: async (url) => text(await ask(url)),
  post: async (url, body) => text(await ask(url, body)),
  stream: (url) => ask(url),
})
