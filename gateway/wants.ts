import { LRUCache } from 'lru-cache'
import {
  combineWant,
  compileProjection,
  parseWant,
  type Cursors,
  type FieldProblem,
  type Projection,
  type Tool,
  type Want,
} from '../catalog/index.ts'

/** What a call wants of its answer. */
export type Wanted =
  | {
      readonly ok: true
      /** As the receipt records it. */
      readonly want: Want
      /** Undefined where the whole answer is wanted. */
      readonly projection: Projection | undefined
    }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] }

/** Compiles wants, and keeps what it compiled: agents ask for the same fields again and again. */
export interface Wants {
  /** `text` is the value of the request header, if there is one. */
  of(tool: Tool, text: string | undefined): Wanted
}

const NOTHING: Wanted = { ok: true, want: {}, projection: undefined }
const KEPT = 500

export function createWants(cursors: Cursors): Wants {
  // By row, so that a reload's rows start afresh and the old ones go.
  const rows = new WeakMap<Tool, LRUCache<string, Wanted>>()
  const generic = new LRUCache<string, Wanted>({ max: KEPT })
  const cacheOf = (tool: Tool) => {
    if (tool.generic) return generic
    const found = rows.get(tool) ?? new LRUCache<string, Wanted>({ max: KEPT })
    rows.set(tool, found)
    return found
  }
  return {
    of(tool, text) {
      if (text === undefined && tool.want === undefined && tool.only === undefined) return NOTHING
      const cache = cacheOf(tool)
      const known = cache.get(text ?? '')
      if (known !== undefined) return known
      const wanted = compile(tool, text, cursors)
      if (isForGood(wanted)) cache.set(text ?? '', wanted)
      return wanted
    },
  }
}

/** Whether a cursor holds depends on the build keys at the time; and who pages asks for each page once. */
function isForGood(wanted: Wanted): boolean {
  return wanted.ok && wanted.want.page?.cursor === undefined
}

function compile(tool: Tool, text: string | undefined, cursors: Cursors): Wanted {
  const asked = text === undefined ? undefined : parseWant(text)
  if (asked?.ok === false) return asked
  const combined = combineWant(tool.want, tool.only, asked?.want)
  if (combined === undefined) return NOTHING
  const { want, only } = combined
  if (want.want?.shape === 'receipt') return { ok: false, problems: [NO_RECEIPT_SHAPE] }
  const compiled = compileProjection(want, {
    cursors,
    ...(tool.rows === undefined ? {} : { rows: tool.rows }),
    ...(only === undefined ? {} : { only }),
  })
  return compiled.ok ? { ok: true, want, projection: compiled.projection } : compiled
}

const NO_RECEIPT_SHAPE: FieldProblem = {
  code: 'not_supported',
  path: 'want.shape',
  got: 'receipt',
  repair: 'leave it out: every answer names its receipt in a header',
}
