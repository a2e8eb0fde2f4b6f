/** The thread that owns the tree of one writer: hashing millions of records keeps no call waiting. */
import { parentPort, workerData } from 'node:worker_threads'
import type { ThreadAnswer } from '../index/protocol.ts'
import { TreeFault } from './fault.ts'
import { findRecords } from './lookup.ts'
import type { ProvenExchange, TreeAnswer, TreeCall } from './protocol.ts'
import { WriterTree, type TreeFiles, type TreeHead } from './writer-tree.ts'

const files = workerData as TreeFiles
let tree: WriterTree | undefined

function answer(call: TreeCall): unknown {
  if (call.name === 'advance') return advance(call)
  if (tree === undefined) throw new Error('ledger tree: nothing was signed yet')
  switch (call.name) {
    case 'head':
      return tree.head(call.size)
    case 'inclusion':
      return prove(tree, call)
    case 'consistency':
      return tree.proveConsistency(call.former, call.size)
  }
}

function advance({ head, signed }: Extract<TreeCall, { name: 'advance' }>): TreeHead {
  try {
    tree ??= new WriterTree(files, ownBytes(signed))
    return tree.advance(head)
  } catch (error) {
    // An error may have come between two hashes that belong together: the next call opens the tree anew.
    tree?.close()
    tree = undefined
    throw error
  }
}

function prove(
  grown: WriterTree,
  { sought, size }: Extract<TreeCall, { name: 'inclusion' }>,
): ProvenExchange {
  const { records, isWhole } = findRecords(files, sought, size)
  const proven = records.map((record) => ({ ...record, path: grown.proveInclusion(record, size) }))
  return { records: proven, isWhole }
}

/** What comes from another thread are plain bytes. */
function ownBytes(head: TreeHead | undefined): TreeHead | undefined {
  return head && { size: head.size, root: Buffer.from(head.root) }
}

function answerOrDamage(call: TreeCall): TreeAnswer {
  try {
    return { value: answer(call) }
  } catch (error) {
    if (error instanceof TreeFault) return { damage: error.damage }
    throw error
  }
}

parentPort?.on('message', ({ ticket, call }: { ticket: number; call: TreeCall }) => {
  const post = (result: ThreadAnswer['result']) => parentPort?.postMessage({ ticket, result })
  try {
    post({ ok: true, value: answerOrDamage(call) })
  } catch (error) {
    post({ ok: false, error })
  }
})
