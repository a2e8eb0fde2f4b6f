/** node-fetch, with an agent for the proxy. */
import { Readable } from 'node:stream'
import { HttpsProxyAgent } from 'https-proxy-agent'
import fetch from 'node-fetch'
import type { RequestInit, Response } from 'node-fetch'
import { exercise } from './library.ts'

const agent = new HttpsProxyAgent(process.env['HTTPS_PROXY'] ?? '')
const ask = async (url: string, init: RequestInit = {}): Promise<Response> => {
  const response = await fetch(url, { ...init, agent })
  if (!response.ok) throw new Error(await response.text())
  return response
}
await exercise({
  get: async (url) => (await ask(url)).text(),
  post: async (url, body) => (await ask(url, { method: 'POST', body })).text(),
  stream: async (url) => Readable.from((await ask(url)).body ?? []),
})
