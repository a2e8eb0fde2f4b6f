/** What every program of an HTTP library of Node's does, and what it prints. */
import type { Readable } from 'node:stream'

/** One way to call; each rejects, with the body in its message, where the answer is no success. */
export interface Library {
  readonly get: (url: string) => Promise<string>
  readonly post: (url: string, body: Buffer) => Promise<string>
  readonly stream: (url: string) => Promise<Readable>
}

/** An echo, a large body and a stream. */
export async function exercise({ get, post, stream }: Library): Promise<void> {
  const [echoUrl = '', digestUrl = '', eventsUrl = ''] = process.argv.slice(2)
  const echo = JSON.parse(await get(echoUrl)) as { headers: Record<string, string> }
  const digest: unknown = JSON.parse(await post(digestUrl, Buffer.alloc(3_000_000, 'x')))
  const times: number[] = []
  for await (const piece of await stream(eventsUrl)) {
    const events = String(piece).split('data:').length - 1
    times.push(...Array<number>(events).fill(performance.now()))
  }
  const { authorization } = echo.headers
  process.stdout.write(JSON.stringify({ authorization, digest, times }))
}
