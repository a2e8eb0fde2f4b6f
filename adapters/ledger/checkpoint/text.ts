import type { TreeHead } from '../tree/writer-tree.ts'

/** What a checkpoint says (c2sp.org/tlog-checkpoint): the log, the number of its records, the root over them. */
export interface CheckpointText extends TreeHead {
  readonly origin: string
}

/** The log of a writer, as the first line of its checkpoints names it. */
export function originOf(name: string, writer: string): string {
  return `${name}/${writer}`
}

export function printCheckpoint({ origin, size, root }: CheckpointText): string {
  return `${origin}\n${size}\n${root.toString('base64')}\n`
}

const TEXT = /^(\S+)\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\n$/

/** Undefined of a text that is no checkpoint. */
export function readCheckpoint(text: string): CheckpointText | undefined {
  const [, origin, size, root] = TEXT.exec(text) ?? []
  if (origin === undefined || root === undefined) return undefined
  return { origin, size: Number(size), root: Buffer.from(root, 'base64') }
}
