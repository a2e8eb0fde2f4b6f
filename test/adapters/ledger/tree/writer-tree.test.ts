import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Head } from '../../../../adapters/ledger/port.ts'
import { TreeFault } from '../../../../adapters/ledger/tree/fault.ts'
import { WriterTree, type TreeHead } from '../../../../adapters/ledger/tree/writer-tree.ts'
import { makeFolder, openLog, segmentFiles } from '../rig.ts'
import { treeHash } from './_reference.ts'

/** Appends so many records. */
async function write(folder: string, count: number): Promise<Head> {
  const { log } = await openLog(folder, { rotateBytes: 1500 })
  for (let at = 0; at < count; at += 1) await log.refusal({ id: `r-${at}`, pad: 'x'.repeat(200) })
  const head = log.head()
  await log.close()
  return head
}

/** The lines of all records, headers left out, as a stranger reads them. */
function linesOf(folder: string): readonly Buffer[] {
  return segmentFiles(folder)
    .flatMap((file) => readFileSync(file, 'utf8').trimEnd().split('\n'))
    .filter((line) => !line.includes('{"kind":"segment"'))
    .map((line) => Buffer.from(line))
}

/** The file whose line has this record's number, harmed in place. */
function harm(folder: string, n: number): void {
  for (const file of segmentFiles(folder)) {
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace(new RegExp(`("n":${n},.*pad":")x`), '$1y'))
  }
}

const thrown = (act: () => unknown): TreeFault['damage'] | undefined => {
  try {
    act()
  } catch (error) {
    if (error instanceof TreeFault) return error.damage
    throw error
  }
  return undefined
}

t.test('the tree has the records of all segments as its leaves, at every size', async (t) => {
  const folder = makeFolder(t)
  const head = await write(folder, 30)
  t.ok(segmentFiles(folder).length > 4)
  const tree = new WriterTree({ folder, writer: head.writer }, undefined)
  t.teardown(() => tree.close())
  const lines = linesOf(folder)
  t.same(tree.advance(head), { size: 30, root: treeHash(lines) })
  for (let size = 0; size < 30; size += 1)
    t.same(tree.head(size).root, treeHash(lines.slice(0, size)))
  t.throws(() => tree.head(31), /31 records, it has 30/)
})

t.test('after a start it reads what came since it was signed, and no more', async (t) => {
  const folder = makeFolder(t)
  const signedAt = await write(folder, 40)
  const files = { folder, writer: signedAt.writer }
  const first = new WriterTree(files, undefined)
  const signed = first.advance(signedAt)
  first.close()
  const head = await write(folder, 15)

  const lines = linesOf(folder)
  const again = (from: TreeHead | undefined): TreeHead => {
    const tree = new WriterTree(files, from)
    try {
      return tree.advance(head)
    } finally {
      tree.close()
    }
  }
  const [oldest = ''] = segmentFiles(folder)
  const kept = join(makeFolder(t), 'oldest')
  copyFileSync(oldest, kept)
  t.test('the first segment may be away', async (t) => {
    rmSync(oldest)
    t.same(again(signed), { size: 55, root: treeHash(lines) })
    copyFileSync(kept, oldest)
  })
  t.test('a file of hashes that was lost, cut or changed is made again', async (t) => {
    const nodes = join(folder, signedAt.writer, 'tree')
    const whole = readFileSync(nodes)
    for (const held of [undefined, whole.subarray(0, 100), Buffer.alloc(whole.length, 7)]) {
      if (held === undefined) rmSync(nodes)
      else writeFileSync(nodes, held)
      t.same(again(signed), { size: 55, root: treeHash(lines) })
    }
  })
  t.test('a hash that rotted below the edge is found by the proof that needs it', async (t) => {
    const tree = new WriterTree(files, signed)
    t.teardown(() => tree.close())
    tree.advance(head)
    const nodes = join(folder, signedAt.writer, 'tree')
    const bytes = readFileSync(nodes)
    bytes.fill(0, 0, 64)
    writeFileSync(nodes, bytes)
    const [line = Buffer.alloc(0)] = lines
    t.equal(tree.proveInclusion({ n: 1, line }, 55).length, 6)
    t.not(readFileSync(nodes).subarray(0, 32).toString('hex'), '0'.repeat(64))
  })
})

t.test('what is not the log that was signed is never signed again', async (t) => {
  const folder = makeFolder(t)
  const head = await write(folder, 40)
  const files = { folder, writer: head.writer }
  const tree = new WriterTree(files, undefined)
  const signed = tree.advance(head)
  tree.close()
  const open = (from: TreeHead | undefined) =>
    thrown(() => new WriterTree(files, from).advance(head))

  t.test('another root', async (t) => {
    const other = { size: 40, root: Buffer.alloc(32, 1) }
    t.match(open(other), { record: 40, what: 'up to here the log is not the one that was signed' })
    t.equal(open(signed), undefined)
  })
  t.test('a record changed in the segment that is open', async (t) => {
    harm(folder, 40)
    t.match(open(signed), { record: 40, what: 'the hash does not fit' })
  })
  t.test('a log that ends before it', async (t) => {
    rmSync(segmentFiles(folder).at(-1) ?? '')
    t.match(open(signed), { what: 'the log ends before it' })
  })
  t.test('a record changed in an older one, where all is read', async (t) => {
    harm(folder, 3)
    t.match(open(undefined), { record: 3, what: 'the hash does not fit' })
  })
})

t.test('the writer’s own hash of its last record must be the file’s', async (t) => {
  const folder = makeFolder(t)
  const head = await write(folder, 5)
  const tree = new WriterTree({ folder, writer: head.writer }, undefined)
  t.teardown(() => tree.close())
  const other = { ...head, hash: 'ab'.repeat(32) }
  t.match(
    thrown(() => tree.advance(other)),
    { record: 5, what: /another hash here/ },
  )
})

t.test('a head that is the header of a segment without records is known', async (t) => {
  const folder = makeFolder(t)
  const { log } = await openLog(folder)
  t.teardown(() => log.close())
  const tree = new WriterTree({ folder, writer: log.head().writer }, undefined)
  t.teardown(() => tree.close())
  t.equal(log.head().n, 0)
  t.same(tree.advance(log.head()), { size: 0, root: treeHash([]) })
  await log.event({ event: 'one' })
  t.equal(tree.advance(log.head()).size, 1)
})
