import type { Envelope, ShownRow, Want, Where } from '../../catalog/index.ts'
import type { DoorAround } from '../holder-door.ts'
import type { Knock, Reply } from '../knock.ts'
import { answerView, type LedgerAnswer } from '../views/answer.ts'
import { checkMembers, noRow, OF_COUNT, OF_GET, readReply, wantOfList } from './reading.ts'

/** The exchanges of the token’s chain, one row for each receipt. */
export async function listReceipts(
  knock: Knock,
  envelope: Envelope,
  around: DoorAround,
): Promise<Reply> {
  const want = wantOfList(envelope)
  return readReply(await asked(knock, want, around), want, around)
}

export async function getReceipt(
  knock: Knock,
  envelope: Envelope,
  around: DoorAround,
): Promise<Reply> {
  checkMembers(envelope, OF_GET)
  const { where = {}, select } = envelope
  const want: Want = { where, ...(select && { select }), want: { shape: 'first' } }
  const { row, seq, lag } = await asked(knock, want, around)
  if (row === undefined || row === null) throw noRow(envelope)
  return readReply({ row, seq, lag }, want, around)
}

export async function countReceipts(
  knock: Knock,
  envelope: Envelope,
  around: DoorAround,
): Promise<Reply> {
  checkMembers(envelope, OF_COUNT)
  const want: Want = { where: envelope.where ?? {}, want: { shape: 'count' } }
  const { figures, seq, lag } = await asked(knock, want, around)
  const { count } = figures as ShownRow
  return readReply({ count, seq, lag }, want, around)
}

async function asked(
  knock: Knock,
  want: Want,
  around: DoorAround,
): Promise<Omit<LedgerAnswer, 'view'>> {
  const { token } = await around.standing(knock)
  const { index, cursors } = around
  await index.sync()
  const where = ofChain(want.where ?? {}, token.links)
  const question = { view: 'exchanges', want: { ...want, where } } as const
  const { view: _view, ...answer } = await answerView(index, question, cursors)
  return answer
}

/** Whatever else is asked for: receipts of another chain do not exist for this token. */
function ofChain(where: Where, links: readonly string[]): Where {
  return { ...where, and: [...(where.and ?? []), { link: { in: links } }] }
}
