import {
  compileProjection,
  projectReference,
  type Cursors,
  type Envelope,
  type ReferenceResult,
  type Want,
} from '../../catalog/index.ts'
import type { DoorAround } from '../holder-door.ts'
import type { Knock, Reply } from '../knock.ts'
import { refusalOfProblems } from '../problems.ts'
import { checkMembers, noRow, OF_COUNT, OF_GET, readReply, wantOfList } from './reading.ts'

const DEFAULT_PAGE = 100

/** Rows that are at hand whole, as the token of a knock may read them. */
type RowsFor = (knock: Knock, around: DoorAround) => Promise<readonly object[]>

/** What can be done to such rows. */
export function opsOfRows(rowsFor: RowsFor) {
  return {
    async list(knock: Knock, envelope: Envelope, around: DoorAround): Promise<Reply> {
      const want = wantOfList(envelope)
      return readReply(listed(await rowsFor(knock, around), want, around.cursors), want, around)
    },
    async get(knock: Knock, envelope: Envelope, around: DoorAround): Promise<Reply> {
      checkMembers(envelope, OF_GET)
      const { where = {}, select } = envelope
      const want: Want = { where, ...(select && { select }), want: { shape: 'first' } }
      const { result } = projected(await rowsFor(knock, around), want, around.cursors)
      if (result === null) throw noRow(envelope)
      return readReply({ row: result }, want, around)
    },
    async count(knock: Knock, envelope: Envelope, around: DoorAround): Promise<Reply> {
      checkMembers(envelope, OF_COUNT)
      const want: Want = { where: envelope.where ?? {}, want: { shape: 'count' } }
      const { result } = projected(await rowsFor(knock, around), want, around.cursors)
      return readReply(result as object, want, around)
    },
  }
}

function listed(rows: readonly object[], want: Want, cursors: Cursors): object {
  const { shape, aggregate } = want.want ?? {}
  if (aggregate !== undefined || shape === 'count')
    return { figures: projected(rows, want, cursors).result }
  if (shape === 'first') return { row: projected(rows, want, cursors).result }
  const paged = { ...want, page: { limit: DEFAULT_PAGE, ...want.page } }
  const { result, page } = projected(rows, paged, cursors)
  return { rows: result, ...page }
}

function projected(rows: readonly object[], want: Want, cursors: Cursors): ReferenceResult {
  const compiled = compileProjection(want, { cursors })
  if (!compiled.ok) throw refusalOfProblems(compiled.problems)
  return projectReference(rows, compiled.projection)
}
