/** Node's own fetch, which finds the proxy by itself: in Node 24, told so by NODE_USE_ENV_PROXY. */
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { exercise } from './library.ts'

const ask = async (url: string, init: RequestInit = {}): Promise<Response> => {
  const response = await fetch(url, init)
  if (!response.ok) throw new Error(await response.text())
  return response
}
await exercise({
  get: async (url) => (await ask(url)).text(),
  post: async (url, body) => (await ask(url, { method: 'POST', body })).text(),
  stream: async (url) => Readable.fromWeb((await ask(url)).body as ReadableStream),
})
