import { Readable } from 'node:stream'
import type {
  Bucket,
  BucketError,
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

/** What R2 says, by the number in its message, as the port says it. */
const CODES: readonly (readonly [RegExp, BucketError['code']])[] = [
  [/\(10020\)/, 'InvalidKey'],
  [/\(10012\)/, 'MetadataTooLarge'],
  [/\(10037\)/, 'BadDigest'],
  [/\(10039\)/, 'InvalidRange'],
  [/\(10022\)/, 'InvalidArgument'],
  // What miniflare makes of a range that begins where the object ends, and has a length.
  [/Unspecified error \(0\)/, 'InvalidRange'],
]

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
    const [, code = 'Unavailable'] = CODES.find(([text]) => text.test(answer.message)) ?? []
    throw Object.assign(new Error(answer.message), { name: 'BucketError', code })
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
