import { createThread } from '../index/thread.ts'
import { TreeFault } from './fault.ts'
import type { TreeAnswer, TreeCall } from './protocol.ts'
import type { TreeFiles } from './writer-tree.ts'

/** The tree's thread, as a function that answers. */
export interface TreeThread {
  /** Rejects with a TreeFault where the log is damaged. */
  call(call: TreeCall): Promise<unknown>
  end(): Promise<void>
}

/** Starts the thread. When it dies, every call that waits or comes later says why. */
export function createTreeThread(files: TreeFiles): TreeThread {
  const name = `ledger tree of ${files.writer}`
  const thread = createThread<TreeCall>({ home: import.meta.url, data: files, name })
  return {
    async call(call) {
      const { value, damage } = (await thread.call(call)) as TreeAnswer
      if (damage !== undefined) throw new TreeFault(damage)
      return value
    },
    end: () => thread.end(),
  }
}
