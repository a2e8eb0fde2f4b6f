import {
  compileProjection,
  projectReference,
  type Cursors,
  type Envelope,
  type ReferenceResult,
  type Tool,
  type Want,
} from '../../catalog/index.ts'
import type { DoorAround } from '../holder-door.ts'
import type { Knock, Reply } from '../knock.ts'
import { refusalOfProblems } from '../problems.ts'
import { checkMembers, noRow, OF_COUNT, OF_GET, readReply, wantOfList } from './reading.ts'

const DEFAULT_PAGE = 100

/** The rows of the catalog that the token could call through this door. */
export async function listRows(
  knock: Knock,
  envelope: Envelope,
  around: DoorAround,
): Promise<Reply> {
  const want = wantOfList(envelope)
  return readReply(listed(await rowsFor(knock, around), want, around.cursors), want, around)
}

export async function getRow(knock: Knock, envelope: Envelope, around: DoorAround): Promise<Reply> {
  checkMembers(envelope, OF_GET)
  const { where = {}, select } = envelope
  const want: Want = { where, ...(select && { select }), want: { shape: 'first' } }
  const { result } = projected(await rowsFor(knock, around), want, around.cursors)
  if (result === null) throw noRow(envelope)
  return readReply({ row: result }, want, around)
}

export async function countRows(
  knock: Knock,
  envelope: Envelope,
  around: DoorAround,
): Promise<Reply> {
  checkMembers(envelope, OF_COUNT)
  const want: Want = { where: envelope.where ?? {}, want: { shape: 'count' } }
  const { result } = projected(await rowsFor(knock, around), want, around.cursors)
  return readReply(result as object, want, around)
}

async function rowsFor(knock: Knock, around: DoorAround): Promise<readonly Tool[]> {
  return around.callable(await around.standing(knock), knock.door)
}

function listed(rows: readonly Tool[], want: Want, cursors: Cursors): object {
  const { shape, aggregate } = want.want ?? {}
  if (aggregate !== undefined || shape === 'count')
    return { figures: projected(rows, want, cursors).result }
  if (shape === 'first') return { row: projected(rows, want, cursors).result }
  const paged = { ...want, page: { limit: DEFAULT_PAGE, ...want.page } }
  const { result, page } = projected(rows, paged, cursors)
  return { rows: result, ...page }
}

function projected(rows: readonly Tool[], want: Want, cursors: Cursors): ReferenceResult {
  const compiled = compileProjection(want, { cursors })
  if (!compiled.ok) throw refusalOfProblems(compiled.problems)
  return projectReference(rows, compiled.projection)
}
