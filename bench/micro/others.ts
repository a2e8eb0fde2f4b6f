import { Authorizer, Biscuit, KeyPair } from '@biscuit-auth/biscuit-wasm'
import macaroon from 'macaroon'
import { type Ask, parseCaveat } from '../../policy/index.ts'
import { CALL, CHECKS, expectVerdict, KEY_TEXT, LINES, STRAY } from './checks.ts'
import type { Row } from './measure.ts'

/** npm macaroon: the same lines as first-party caveats, read by the same parser. */
function macaroonRow(): Row {
  const name = 'macaroon'
  const key = new TextEncoder().encode(KEY_TEXT)
  const made = macaroon.newMacaroon({ identifier: 'g_bench', rootKey: key, version: 2 })
  for (const line of LINES) made.addFirstPartyCaveat(line)
  // Not its binary form: its buffer does not grow past 200 bytes (macaroon 3.0.4).
  const text = JSON.stringify(made.exportJSON())
  const holds = (call: Ask): boolean => {
    const check = (line: string) => parseCaveat(line).clause.refuses(call)?.got ?? null
    try {
      macaroon.importMacaroon(JSON.parse(text)).verify(key, check)
      return true
    } catch {
      return false
    }
  }
  expectVerdict(holds(STRAY), false, name)
  return {
    name,
    says: 'npm macaroon 3: imported, verified, the same eight lines',
    once: () => expectVerdict(holds(CALL), true, name),
  }
}

/** The facts of a call for biscuit. */
function factsOf({ args, tool, way, person }: Ask): string {
  return `tool("${tool}"); way("${way}"); now(2026-11-30T00:00:00Z); person("${person}");
    path("/src/a"); model("gpt-9"); limit(${Number(args['limit'])}); country("${String(args['country'])}");
    allow if true;`
}

// By default it gives up after a millisecond, which a busy machine takes longer than.
const LIMITS = { max_facts: 1000, max_iterations: 100, max_time_micro: 1_000_000 }

/** biscuit 0.5: Ed25519 and Datalog in WebAssembly. */
function biscuitRow(): Row {
  const name = 'biscuit'
  const keys = new KeyPair()
  const builder = Biscuit.builder()
  builder.addCode('grant("g_bench");')
  let token = builder.build(keys.getPrivateKey())
  for (const [, datalog] of CHECKS) {
    const block = Biscuit.block_builder()
    block.addCode(`${datalog};`)
    token = token.appendBlock(block)
  }
  const text = token.toBase64()
  const root = keys.getPublicKey()
  const holds = (call: Ask): boolean => {
    const read = Biscuit.fromBase64(text, root)
    const authorizer = new Authorizer()
    try {
      authorizer.addToken(read)
      authorizer.addCode(factsOf(call))
      authorizer.authorizeWithLimits(LIMITS)
      return true
    } catch {
      return false
    } finally {
      authorizer.free()
      read.free()
    }
  }
  expectVerdict(holds(STRAY), false, name)
  return {
    name,
    says: 'biscuit-wasm 0.5: eight blocks verified (Ed25519), the same eight checks',
    once: () => expectVerdict(holds(CALL), true, name),
  }
}

/** The peers, each checked to refuse what it must before it is timed. */
export function otherRows(): readonly Row[] {
  return [macaroonRow(), biscuitRow()]
}
