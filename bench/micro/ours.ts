import { openEmbeddedUses } from '../../adapters/uses/embedded.ts'
import { nodeDigests } from '../../gateway/digests.ts'
import {
  type Ask,
  createDecider,
  createTokenVerifier,
  type Digests,
  mintToken,
  nobleDigests,
  verifyToken,
} from '../../policy/index.ts'
import { nextPlace } from '../../policy/chain.ts'
import { CALL, expectVerdict, KEY, LINES, NOBODY_REVOKED, STRAY } from './checks.ts'
import type { Row } from './measure.ts'

const TOKEN = mintToken(KEY, 'g_bench', LINES)
const [LINE = ''] = LINES
const decider = createDecider()

/**
 * Verifies from nothing and asks the native predicates, which is what a macaroon's caveat checker does. Lines that were
 * parsed before are known, here as there: the parser is the same.
 */
function verifies(name: string, digests: Digests, call: Ask, wanted: boolean): void {
  const { caveats } = verifyToken(TOKEN, [KEY], { digests })
  const holds = caveats.every(({ clause }) => clause.refuses(call) === undefined)
  expectVerdict(holds, wanted, name)
}

function verifyRow(name: string, digests: Digests, says: string): Row {
  verifies(name, digests, STRAY, false)
  return { name, says, once: () => verifies(name, digests, CALL, true) }
}

function linkRow(name: string, digests: Digests, says: string): Row {
  return { name, says, once: () => void nextPlace(KEY.root, LINE, digests) }
}

function rememberedRow(): Row {
  const verifier = createTokenVerifier({ keys: [KEY], digests: nodeDigests })
  const name = 'verify, remembered'
  return {
    name,
    says: 'a token that was verified before',
    once: () => expectVerdict(verifier.verify(TOKEN).lines.length === 8, true, name),
  }
}

function warmRow(): Row {
  const token = verifyToken(TOKEN, [KEY], { digests: nodeDigests })
  const name = 'decide, warm'
  expectVerdict(decider.judge(token, STRAY).allow, false, name)
  return {
    name,
    says: 'both engines, eight lines; Cedar’s verdict is remembered',
    once: () => expectVerdict(decider.judge(token, CALL).allow, true, name),
  }
}

function coldRow(): Row {
  const name = 'decide, cold'
  let serial = 0
  return {
    name,
    says: 'both engines, eight lines and one never seen before: compiled, prepared, asked',
    once() {
      const lines = [...LINES, `tools = LEADS_FIND,X${serial++}`]
      const token = verifyToken(mintToken(KEY, 'g_bench', lines, nodeDigests), [KEY], {
        digests: nodeDigests,
      })
      expectVerdict(decider.judge(token, CALL).allow, true, name)
    },
  }
}

function reserveRow(file: string, limits: number): Row {
  const uses = openEmbeddedUses({ file })
  const lines = Array.from({ length: limits }, () => 'uses <= 999999999')
  const token = verifyToken(mintToken(KEY, `g_${limits}`, ['tools = *', ...lines]), [KEY])
  const ports = { uses, revocations: NOBODY_REVOKED }
  const name = `decide with ${limits} ${limits === 1 ? 'counter' : 'counters'}`
  return {
    name,
    says: 'warm, and uses reserved in an SQLite file',
    async once() {
      expectVerdict((await decider.decide(token, CALL, ports)).allow, true, name)
    },
  }
}

/** Rows of policy itself; counters go into files of the folder. */
export function ownRows(folder: string): readonly Row[] {
  return [
    verifyRow('verify', nodeDigests, 'eight lines, the chain from nothing, hashes of node:crypto'),
    verifyRow('verify, portable', nobleDigests, 'the same with @noble/hashes'),
    rememberedRow(),
    linkRow('link', nodeDigests, 'one HMAC link of node:crypto, as the gateway makes it'),
    linkRow('link, portable', nobleDigests, 'one HMAC link of @noble/hashes'),
    warmRow(),
    coldRow(),
    reserveRow(`${folder}/one.sqlite`, 1),
    reserveRow(`${folder}/eight.sqlite`, 8),
  ]
}
