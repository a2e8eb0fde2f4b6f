import {
  createProjector,
  inputFormOf,
  ProjectionFault,
  type Projected,
  type Projection,
} from '../../catalog/index.ts'
import type { RawHeaders } from '../../adapters/upstream/port.ts'
import type { Call } from '../call.ts'
import type { Limits } from '../limits.ts'
import { refusal, type Refusal } from '../refusal.ts'
import type { Step } from './answer-body.ts'
import { DIGESTS } from './encodings.ts'
import { getHeader, removeHeaders, replaceHeader, setHeader } from './headers.ts'

/** An answer that is cut down on its way. */
export interface Cutting {
  readonly kind: 'cut'
  readonly step: Step
  readonly mediaType: string
  /** True where the end must be known before the head can go out: order, page, figures. */
  readonly collects: boolean
  /** True where rows come one by one for as long as the upstream likes. */
  readonly live: boolean
  /** Bytes before and after. */
  figures(): readonly [before: number, after: number]
  /** The page's cursors where the result has no members for them. */
  cursorFields(name: string): RawHeaders
}

/** What becomes of an answer of which something was wanted: it is cut, or it is `no` JSON and passes as it is. */
export type Cut = Cutting | { readonly kind: 'no' }

/**
 * Decides by status and media type; undefined where the whole answer is wanted. An upstream's own error passes whole,
 * since its text is what the caller needs, but never past what the row's `only` shows.
 */
export function createCut(
  { projection, tool }: Pick<Call, 'projection' | 'tool'>,
  status: number,
  { fields, limits }: { readonly fields: RawHeaders; readonly limits: Limits },
): Cut | undefined {
  if (projection === undefined) return undefined
  const input = inputFormOf(getHeader(fields, 'content-type') ?? '')
  const succeeded = status >= 200 && status <= 299
  if (input === undefined && tool.only !== undefined) throw notShown(tool.only, status)
  if (input === undefined || (!succeeded && tool.only === undefined)) return { kind: 'no' }
  const projector = createProjector(projection, { maxBytes: limits.collectedBytes, input })
  return createCutting(projector, { projection, live: input === 'ndjson' })
}

function createCutting(
  projector: ReturnType<typeof createProjector>,
  { projection, live }: { readonly projection: Projection; readonly live: boolean },
): Cutting {
  let before = 0
  let after = 0
  let ended: Projected | undefined
  const guarded = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw error instanceof ProjectionFault ? refusalOf(error) : error
    }
  }
  return {
    kind: 'cut',
    mediaType: projector.mediaType,
    collects: mustCollect(projection),
    live: live && !mustCollect(projection),
    step: {
      push(chunk) {
        before += chunk.length
        const pieces = guarded(() => projector.push(chunk))
        for (const piece of pieces) after += piece.length
        return pieces
      },
      end() {
        ended = guarded(() => projector.end())
        after = ended.after
        return ended.chunks
      },
    },
    figures: () => [before, after],
    cursorFields(name) {
      const page = ended?.page
      if (page === undefined) return []
      const { cursor, next } = page
      return ['cursor', cursor, ...(next === null ? [] : [name, next])]
    },
  }
}

/** The head of an answer that was cut: what described the upstream's bytes is gone, or weak (RFC 9110, 8.8.1). */
export function cutFields(fields: RawHeaders, { mediaType }: Cutting): RawHeaders {
  const left = removeHeaders(fields, ['content-length', 'accept-ranges', ...DIGESTS])
  const weak = replaceHeader(left, 'etag', (tag) => (tag.startsWith('W/') ? tag : `W/${tag}`))
  const sameForm = inputFormOf(getHeader(weak, 'content-type') ?? '') === inputFormOf(mediaType)
  return sameForm ? weak : setHeader(weak, 'Content-Type', mediaType)
}

function mustCollect({ window, order, want }: Projection): boolean {
  const { shape, aggregate } = want.want ?? {}
  const figures = aggregate !== undefined || shape === 'count'
  return window !== undefined || order.length > 0 || figures
}

function refusalOf(fault: ProjectionFault): Refusal {
  const repairs = {
    no_rows: 'ask for it with select alone, or name the array in the row’s `rows`',
    too_large: 'ask for fewer rows or fields, or raise limits.collected_bytes',
    upstream_invalid:
      'the upstream’s answer is broken; ask for it without `want` to see it as it is',
  }
  const status = fault.code === 'too_large' ? { status: 502 } : {}
  return refusal(fault.code, 'want', { got: fault.message, repair: repairs[fault.code], ...status })
}

function notShown(only: readonly string[], status: number): Refusal {
  return refusal('upstream_invalid', 'want', {
    got: `an answer that is not JSON, with status ${status}`,
    repair: `this row shows only ${only.join(', ')} of JSON answers`,
  })
}
