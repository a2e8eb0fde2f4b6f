import { base64urlnopad, utf8 } from '@scure/base'
import fc from 'fast-check'
import type { Test } from 'tap'
import { nodeDigests } from '../../../gateway/digests.ts'
import { mintToken, TokenFault, verifyToken } from '../../../policy/index.ts'
import { line, lines } from '../arbitraries.ts'
import { KEY } from '../support.ts'

/** The same signature under other content. */
function withPayload(token: string, id: string, lines: readonly string[]): string {
  const payload = base64urlnopad.encode(utf8.decode(JSON.stringify({ i: id, c: lines })))
  return `g1.${payload}.${token.split('.')[2]}`
}

/** The stage at which a token is refused, `none` where it is good. */
function stageOf(token: string): string {
  try {
    verifyToken(token, [KEY], { digests: nodeDigests })
    return 'none'
  } catch (error) {
    if (error instanceof TokenFault) return error.stage
    throw error
  }
}

type Edit = (lines: string[], place: number, other: number, text: string) => void

const EDITS: Readonly<Record<string, Edit>> = {
  removed: (lines, place) => void lines.splice(place, 1),
  'cut off': (lines, place) => void lines.splice(place),
  doubled: (lines, place, other) => void lines.splice(other, 0, lines[place] ?? ''),
  moved: (lines, place, other) => void lines.splice(other, 0, ...lines.splice(place, 1)),
  replaced: (lines, place, _other, text) => void (lines[place] = text),
  inserted: (lines, place, _other, text) => void lines.splice(place, 0, text),
  lengthened: (lines, place) => void (lines[place] += 'x'),
  // By a whole character: half of one is refused for its form.
  shortened: (lines, place) =>
    void (lines[place] = Array.from(lines[place] ?? '')
      .slice(0, -1)
      .join('')),
  joined: (lines, place) => void lines.splice(place, 2, lines.slice(place, place + 2).join('')),
}

/** No line removed, doubled, moved or edited in any way verifies under the old signature. */
export function editsNeverVerify(t: Test, cases: number): void {
  const seen: Record<string, number> = {}
  const edits = fc.constantFrom(...Object.keys(EDITS))
  const place = fc.nat(5)
  const property = fc.property(
    lines,
    edits,
    fc.tuple(place, place),
    line,
    (had, edit, at, text) => {
      const token = mintToken(KEY, 'g_1', had, nodeDigests)
      const changed = [...had]
      EDITS[edit]?.(changed, at[0] % had.length, at[1] % had.length, text)
      const same = JSON.stringify(changed) === JSON.stringify(had)
      if (!same) seen[edit] = (seen[edit] ?? 0) + 1
      return stageOf(withPayload(token, 'g_1', changed)) === (same ? 'none' : 'signature')
    },
  )
  fc.assert(property, { numRuns: cases })
  const least = Math.min(...Object.keys(EDITS).map((edit) => seen[edit] ?? 0))
  t.ok(least > cases / 50, JSON.stringify({ cases, ...seen }))
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ \0é'

/** No other character anywhere in a token verifies. */
export function charactersNeverVerify(t: Test, cases: number): void {
  const seen = { format: 0, signature: 0 }
  const character = fc.constantFrom(...ALPHABET.split(''))
  const property = fc.property(lines, fc.nat(), character, (had, at, other) => {
    const token = mintToken(KEY, 'g_1', had, nodeDigests)
    const place = at % token.length
    const changed = token.slice(0, place) + other + token.slice(place + 1)
    const stage = stageOf(changed)
    if (changed === token) return stage === 'none'
    if (stage !== 'format' && stage !== 'signature') return false
    seen[stage]++
    return true
  })
  fc.assert(property, { numRuns: cases })
  t.ok(seen.format > cases / 20 && seen.signature > cases / 20, JSON.stringify({ cases, ...seen }))
}
