import { readFileSync } from 'node:fs'
import t from 'tap'
import { chainOf } from '../../policy/chain.ts'
import { createBuildKey, nobleDigests, TokenFault, verifyToken } from '../../policy/index.ts'
import { nodeDigests } from './support.ts'

interface Vector {
  readonly n: number
  readonly name: string
  readonly build_key: string
  readonly token: string
  readonly expect: 'accept' | 'refuse'
  readonly stage: string
  readonly id?: string
  readonly caveats?: readonly string[]
  readonly chain_hex?: readonly string[]
  readonly links?: readonly string[]
}

interface Vectors {
  readonly build_key: string
  readonly root_hex: string
  readonly label: string
  readonly vectors: readonly Vector[]
  readonly extra: readonly Vector[]
}

const file = new URL('../vectors/g1.json', import.meta.url)
const { build_key, root_hex, label, vectors, extra } = JSON.parse(
  readFileSync(file, 'utf8'),
) as Vectors
const KEY = createBuildKey(build_key, label)

t.equal(Buffer.from(KEY.root).toString('hex'), root_hex, 'the root is the HMAC of the label')
t.ok(vectors.length >= 40 && extra.length >= 13, 'the vectors are all there')

function verdictOf(vector: Vector, digests = nobleDigests) {
  try {
    // The gateway's own key throughout: the vector's says with which the token was made.
    const { id, lines, links } = verifyToken(vector.token, [KEY], { digests })
    return { expect: 'accept', stage: 'none', id, lines, links }
  } catch (error) {
    if (!(error instanceof TokenFault)) throw error
    return { expect: 'refuse', stage: error.stage }
  }
}

for (const vector of [...vectors, ...extra]) {
  void t.test(`${vector.n}: ${vector.name}`, async (t) => {
    const verdict = verdictOf(vector)
    t.equal(verdict.expect, vector.expect)
    t.equal(verdict.stage, vector.stage)
    t.same(verdictOf(vector, nodeDigests), verdict, 'with other digests too')
    if (vector.expect === 'refuse') return
    t.equal(verdict.id, vector.id)
    t.same(verdict.lines, vector.caveats)
    t.same(verdict.links, vector.links)
    const chain = chainOf(KEY, { id: vector.id ?? '', lines: vector.caveats ?? [] }, nobleDigests)
    t.same(
      chain.map((place) => Buffer.from(place).toString('hex')),
      vector.chain_hex,
    )
  })
}
