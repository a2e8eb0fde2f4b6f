/** undici's own calls, through its EnvHttpProxyAgent. */
import { EnvHttpProxyAgent, request } from 'undici'
import type { Dispatcher } from 'undici'
import { exercise } from './library.ts'

const dispatcher = new EnvHttpProxyAgent()
const ask = async (
  url: string,
  options: Pick<Dispatcher.RequestOptions, 'body'> = {},
): Promise<Dispatcher.ResponseData['body']> => {
  const method = options.body === undefined ? 'GET' : 'POST'
  const { statusCode, body } = await request(url, { ...options, method, dispatcher })
  if (statusCode !== 200) throw new Error(await body.text())
  return body
}
await exercise({
  get: async (url) => (await ask(url)).text(),
  post: async (url, body) => (await ask(url, { body })).text(),
  stream: (url) => ask(url),
})
await dispatcher.close()
