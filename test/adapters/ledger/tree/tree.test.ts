import { mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { default as t, type Test } from 'tap'
import { leafHash } from '../../../../adapters/ledger/tree/hashing.ts'
import { NodeFile } from '../../../../adapters/ledger/tree/node-file.ts'
import { consistencyPath, inclusionPath, rootOf } from '../../../../adapters/ledger/tree/proofs.ts'
import { storedHashes } from '../../../../adapters/ledger/tree/shape.ts'
import { RUNS } from '../rig.ts'
import { path, proof, treeHash } from './_reference.ts'

const MOST = 300
const leaves = Array.from({ length: MOST }, (_, at) => Buffer.from(`leaf ${at}`))

function fileOf(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'narrowgate-tree-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'nodes')
}

/** A tree that goes with its test. */
function treeOf(t: Test, lines: readonly Uint8Array[], file = fileOf(t)): NodeFile {
  const tree = new NodeFile(file, 0)
  t.teardown(() => tree.close())
  for (const line of lines) tree.add(leafHash(line))
  return tree
}

const hex = (hashes: readonly Buffer[]) => hashes.map((hash) => hash.toString('hex'))

t.test('the eight leaves that are known from Certificate Transparency', async (t) => {
  const known = [
    ['', '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'],
    ['00', 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'],
    ['10', 'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77'],
    ['2021', 'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7'],
    ['3031', '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4'],
    ['40414243', '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef'],
    ['5051525354555657', 'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c'],
    [
      '606162636465666768696a6b6c6d6e6f',
      '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    ],
  ] as const
  const tree = treeOf(
    t,
    known.map(([leaf]) => Buffer.from(leaf, 'hex')),
  )
  const read = tree.read.bind(tree)
  t.equal(
    rootOf(0, read).toString('hex'),
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  )
  known.forEach(([, root], at) => t.equal(rootOf(at + 1, read).toString('hex'), root))
  t.same(hex(inclusionPath(0, 8, read)), [
    '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
    '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
    '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
  ])
  t.same(hex(consistencyPath(6, 8, read)), [
    '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
    'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  ])
  t.same(hex(consistencyPath(2, 5, read)), [
    '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
    'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
  ])
})

t.test('roots of all sizes, and proofs of any, are those of the plain reference', async (t) => {
  const tree = treeOf(t, leaves)
  const read = tree.read.bind(tree)
  for (let size = 0; size <= MOST; size += 1)
    if (!rootOf(size, read).equals(treeHash(leaves.slice(0, size)))) t.fail(`the root at ${size}`)
  fc.assert(
    fc.property(fc.integer({ min: 1, max: MOST }), fc.nat(), fc.nat(), (size, a, b) => {
      const [leaf, former] = [a % size, b % (size + 1)]
      const part = leaves.slice(0, size)
      t.same(hex(inclusionPath(leaf, size, read)), hex(path(leaf, part)))
      t.same(hex(consistencyPath(former, size, read)), hex(former === 0 ? [] : proof(former, part)))
    }),
    { numRuns: 200 * RUNS },
  )
})

t.test('a tree is the same however often it is closed in between, and cut back', async (t) => {
  const file = fileOf(t)
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(60), fc.nat(60)), { maxLength: 5 }), (rounds) => {
      rmSync(file, { force: true })
      let held = 0
      for (const [back, more] of rounds) {
        held = Math.max(0, held - back)
        const tree = new NodeFile(file, held)
        t.equal(tree.leaves(), held)
        const end = Math.min(MOST, held + more)
        for (const line of leaves.slice(held, end)) tree.add(leafHash(line))
        held = end
        t.same(rootOf(held, tree.read.bind(tree)), treeHash(leaves.slice(0, held)))
        tree.close()
      }
    }),
    { numRuns: 40 * RUNS },
  )
})

t.test('a file that was cut off gives an empty tree, not a wrong one', async (t) => {
  const file = fileOf(t)
  const tree = treeOf(t, leaves, file)
  tree.flush()
  t.equal(statSync(file).size, storedHashes(MOST) * 32)
  truncateSync(file, 1000)
  const again = new NodeFile(file, MOST)
  t.teardown(() => again.close())
  t.equal(again.leaves(), 0)
  t.throws(() => again.read({ level: 0, at: 0 }), /it ends before/)
})
