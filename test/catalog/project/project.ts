import {
  ProjectionFault,
  compileProjection,
  createProjector,
  type InputForm,
  type Projected,
  type Projection,
  type ProjectionOptions,
  type Want,
} from '../../../catalog/index.ts'
import { openCursors } from './wants.ts'

/** Compiles a want that is known to be right. */
export function compiled(want: Want, options: Partial<ProjectionOptions> = {}): Projection {
  const result = compileProjection(want, { cursors: openCursors, ...options })
  if (!result.ok) throw new Error(JSON.stringify(result.problems))
  return result.projection
}

export interface Cut {
  readonly input?: InputForm
  readonly maxBytes?: number
  /** Sizes of the chunks, repeated; one chunk where absent. */
  readonly sizes?: readonly number[]
}

/** The result of a projection as text, with its end. */
export function project(
  document: string | Uint8Array,
  projection: Projection,
  { input = 'json', maxBytes = 1 << 20, sizes = [1 << 30] }: Cut = {},
): { readonly text: string; readonly end: Projected; readonly pieces: readonly string[] } {
  const bytes = typeof document === 'string' ? Buffer.from(document) : document
  const projector = createProjector(projection, { maxBytes, input })
  const chunks: Uint8Array[] = []
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const to = at + Math.max(1, sizes[turn % sizes.length]!)
    chunks.push(...projector.push(bytes.slice(at, to)))
    at = to
  }
  const end = projector.end()
  chunks.push(...end.chunks)
  const pieces = chunks.map((chunk) => Buffer.from(chunk).toString())
  return { text: Buffer.concat(chunks).toString(), end, pieces }
}

/** The fault that a projection ends with; undefined where it does not. */
export function faultOf(give: () => unknown): ProjectionFault | undefined {
  try {
    give()
    return undefined
  } catch (error) {
    if (error instanceof ProjectionFault) return error
    throw error
  }
}
