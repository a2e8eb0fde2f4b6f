import { createHash, createHmac } from 'node:crypto'
import { createRequire } from 'node:module'
import {
  type Ask,
  type BuildKey,
  type CedarModule,
  type CedarReader,
  createBuildKey,
  type Digests,
  mintToken,
  type Revocations,
  type UseCounters,
  type VerifiedToken,
  verifyToken,
} from '../../policy/index.ts'

/** How many times as many property runs as usual. */
export const RUNS_FACTOR = Number(process.env['NARROWGATE_RUNS_FACTOR'] ?? '1')

const KEY_TEXT = 'a-build-key-for-the-tests-of-policy-only'
export const KEY: BuildKey = createBuildKey(KEY_TEXT)

/** Digests of another hand than the default. */
export const nodeDigests: Digests = {
  hmac: (key, message) => createHmac('sha256', key).update(message).digest(),
  sha256Text: (message) => createHash('sha256').update(message).digest('base64url'),
}

export function tokenOf(...lines: readonly string[]): VerifiedToken {
  return verifyToken(mintToken(KEY, 'g_test', lines), [KEY])
}

export function askOf(over: Partial<Ask> = {}): Ask {
  return {
    target: 'GET https://api.example.com:443/x',
    tool: 'EXA_SEARCH',
    way: 'proxy',
    now: Date.UTC(2026, 10, 29),
    args: {},
    paths: { kind: 'none' },
    model: { kind: 'none' },
    runsCode: false,
    ...over,
  }
}

/** A fresh instance of the engine at each call. */
export function loadFreshCedar(): CedarModule & CedarReader {
  const require = createRequire(import.meta.url)
  const file = require.resolve('@cedar-policy/cedar-wasm/nodejs')
  delete require.cache[file]
  return require(file) as CedarModule & CedarReader
}

export const neverRevoked: Revocations = { revoked: () => undefined }

/** Counters in memory that also note what was asked of them. */
export function createCounters(): UseCounters & { readonly reserved: readonly string[][] } {
  const used = new Map<string, number>()
  const reserved: string[][] = []
  return {
    reserved,
    async reserve(lines) {
      reserved.push(lines.map(({ link }) => link))
      const spent = lines
        .map((line) => ({ ...line, used: used.get(line.link) ?? 0 }))
        .filter((line) => line.used >= line.limit)
      if (spent.length > 0) return { ok: false, spent }
      const links = lines.map(({ link }) => link)
      for (const link of links) used.set(link, (used.get(link) ?? 0) + 1)
      return { ok: true, reservation: { links } }
    },
    async giveBack({ links }) {
      for (const link of links) used.set(link, (used.get(link) ?? 1) - 1)
    },
    async read(links) {
      return new Map(links.flatMap((link) => (used.has(link) ? [[link, used.get(link) ?? 0]] : [])))
    },
  }
}
