/** axios, which reads the proxy's variables itself. */
import type { Readable } from 'node:stream'
import axios from 'axios'
import { exercise } from './library.ts'

axios.interceptors.response.use(undefined, (error: unknown) => {
  const data: unknown = axios.isAxiosError(error) ? error.response?.data : undefined
  throw new Error(String(data), { cause: error })
})
const asText = { responseType: 'text', transformResponse: (data: unknown) => data } as const
await exercise({
  get: async (url) => String((await axios.get(url, asText)).data),
  post: async (url, body) => String((await axios.post(url, body, asText)).data),
  stream: async (url) => (await axios.get<Readable>(url, { responseType: 'stream' })).data,
})
