/** got, with an agent for the proxy. */
import got from 'got'
import { HttpsProxyAgent } from 'https-proxy-agent'
import { exercise } from './library.ts'

const client = got.extend({
  agent: { https: new HttpsProxyAgent(process.env['HTTPS_PROXY'] ?? '') },
  throwHttpErrors: false,
  hooks: {
    afterResponse: [
      (response) => {
        if (!response.ok) throw new Error(String(response.body))
        return response
      },
    ],
  },
})
await exercise({
  get: (url) => client.get(url).text(),
  post: (url, body) => client.post(url, { body }).text(),
  stream: async (url) => client.stream(url),
})
