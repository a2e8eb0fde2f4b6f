import { base64urlnopad, utf8 } from '@scure/base'
import fc from 'fast-check'
import t from 'tap'
import { mintToken, TokenFault, verifyToken } from '../../policy/index.ts'
import { lines } from './arbitraries.ts'
import { KEY, nodeDigests, RUNS_FACTOR } from './support.ts'

function withPayload(token: string, id: string, changed: readonly string[]): string {
  const payload = base64urlnopad.encode(utf8.decode(JSON.stringify({ i: id, c: changed })))
  return `g1.${payload}.${token.split('.')[2]}`
}

function stageOf(token: string): string {
  try {
    verifyToken(token, [KEY], { digests: nodeDigests })
    return 'none'
  } catch (error) {
    if (error instanceof TokenFault) return error.stage
    throw error
  }
}

void t.test('no line removed, doubled, swapped or edited under the old signature', async (t) => {
  fc.assert(
    fc.property(lines, fc.nat(), fc.nat(), fc.nat(3), (texts, a, b, kind) => {
      const token = mintToken(KEY, 'g_1', texts, nodeDigests)
      const changed = [...texts]
      const from = a % texts.length
      const to = b % texts.length
      const line = texts[from] ?? ''
      if (kind === 0) changed.splice(from, 1)
      else if (kind === 1) changed.splice(to, 0, line)
      else if (kind === 2) changed.splice(to, 0, ...changed.splice(from, 1))
      else changed[from] = `${line}x`
      const same = JSON.stringify(changed) === JSON.stringify(texts)
      return stageOf(withPayload(token, 'g_1', changed)) === (same ? 'none' : 'signature')
    }),
    { numRuns: 500 * RUNS_FACTOR },
  )
  t.pass()
})

void t.test('no other id, and no other character anywhere', async (t) => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ '
  fc.assert(
    fc.property(lines, fc.nat(), fc.constantFrom(...alphabet.split('')), (texts, at, character) => {
      const token = mintToken(KEY, 'g_1', texts, nodeDigests)
      const place = at % token.length
      const changed = token.slice(0, place) + character + token.slice(place + 1)
      if (changed === token) return true
      return ['format', 'signature'].includes(stageOf(changed))
    }),
    { numRuns: 500 * RUNS_FACTOR },
  )
  t.equal(
    stageOf(withPayload(mintToken(KEY, 'g_1', ['uses <= 1']), 'g_2', ['uses <= 1'])),
    'signature',
  )
})
