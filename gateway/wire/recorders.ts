import type { Keep } from '../../catalog/index.ts'
import type { RawHeaders } from '../../adapters/upstream/port.ts'
import type { Notes } from '../notes.ts'
import type { Cut } from './cut.ts'
import { getHeader } from './headers.ts'
import { keptBodies, recorderFor, type BodyRecorder, type Keeping } from './record-body.ts'
import type { Redactor } from './redactor.ts'

/** What follows an answer's body past: as the upstream gave it, and as the client got it where that differs. */
export interface AnswerRecorders {
  readonly upstream?: BodyRecorder
  readonly delivered: BodyRecorder
  /** Puts the figures into the notes; what was noted first stands. */
  note(notes: Notes, truncated: boolean): Promise<void>
}

export interface RecorderOptions {
  readonly keep: Keep
  readonly cut: Cut | undefined
  /** Of the answer, as the client may see them. */
  readonly fields: RawHeaders
  /** What masks the answer, for which it is decoded. */
  readonly redactor: Redactor | undefined
}

/** `keep` says which of the two is kept; the delivered bytes are hashed whatever it says. */
export function createAnswerRecorders(
  { keep, cut, fields, redactor }: RecorderOptions,
  keeping: Keeping,
): AnswerRecorders {
  const mediaType = getHeader(fields, 'content-type')
  if (cut?.kind !== 'cut') {
    const delivered = recorderFor(keptBodies(keep), keeping, mediaType)
    const isRead = redactor !== undefined || cut !== undefined
    const coding = isRead ? undefined : getHeader(fields, 'content-encoding')
    return {
      delivered,
      async note(notes, truncated) {
        notes.response ??= {
          ...(await delivered.finish(truncated)),
          ...(coding === undefined ? {} : { coding }),
        }
      },
    }
  }
  const upstream = recorderFor(keep === 'upstream' ? 'kept' : 'hashed', keeping, mediaType)
  const delivered = recorderFor(keep === 'delivered' ? 'kept' : 'hashed', keeping, mediaType)
  return {
    upstream,
    delivered,
    async note(notes, truncated) {
      if (notes.response !== undefined) return
      notes.projected = cut.figures()
      notes.response = await upstream.finish(truncated)
      notes.delivered = await delivered.finish(truncated)
    },
  }
}
