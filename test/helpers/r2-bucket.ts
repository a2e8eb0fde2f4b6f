import { Readable } from 'node:stream'
import type {
  Bucket,
  ObjectListing,
  ObjectWithBody,
  StoredObject,
} from '../../adapters/objects/bucket.ts'

interface Call {
  readonly name: 'head' | 'get' | 'put' | 'delete' | 'list'
  readonly key?: string
  readonly keys?: string | readonly string[]
  readonly options?: object
}

type Answer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string }

/** The number at the end of R2's message. */
function numberOf(message: string): number {
  const number = Number(/\((\d+)\)$/.exec(message)?.[1])
  if (number > 0) return number
  // What miniflare makes of a range that begins where the object ends, and has a length.
  if (message.endsWith('Unspecified error (0)')) return 10039
  throw new Error(`R2 says something without a number: ${message}`)
}

/** A bucket of R2 itself, through its binding: what the drivers are compared with. */
export function openR2Bucket(url: string, bucket: string): Bucket {
  const ask = async (call: Call, body?: Uint8Array): Promise<unknown> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'x-call': encodeURIComponent(JSON.stringify({ ...call, bucket })) },
      body: body ?? new Uint8Array(),
    })
    const answer = (await response.json()) as Answer
    if (answer.ok) return answer.value
    throw Object.assign(new Error(answer.message), { number: numberOf(answer.message) })
  }
  return {
    head: async (key) => (await ask({ name: 'head', key })) as StoredObject | null,
    async get(key, options) {
      const found = (await ask({ name: 'get', key, ...given(options) })) as
        | (StoredObject & { readonly body?: string })
        | null
      if (found?.body === undefined) return found as StoredObject | null
      const bytes = Buffer.from(found.body, 'base64')
      const body = Readable.from(bytes.length === 0 ? [] : [bytes])
      return { ...found, body } satisfies ObjectWithBody
    },
    async put(key, value, options) {
      const bytes = value instanceof Readable ? Buffer.concat(await value.toArray()) : value
      const body = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
      return (await ask({ name: 'put', key, ...given(options) }, body)) as StoredObject | null
    },
    delete: async (keys) => void (await ask({ name: 'delete', keys })),
    list: async (options) => (await ask({ name: 'list', ...given(options) })) as ObjectListing,
    close: async () => {},
  }
}

function given(options: object | undefined): { readonly options?: object } {
  return options === undefined ? {} : { options }
}
