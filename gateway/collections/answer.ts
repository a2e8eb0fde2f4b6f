import type { Envelope, Op } from '../../catalog/index.ts'
import type { DoorAround } from '../holder-door.ts'
import type { Knock, Reply } from '../knock.ts'
import { refusal, type Refusal } from '../refusal.ts'
import { ARTICLES } from './articles.ts'
import { DIRECTORY } from './directory.ts'
import { countReceipts, getReceipt, listReceipts } from './ledger.ts'
import { PEOPLE } from './people.ts'
import { deleteObject, getObject, listObjects, putObject } from './store.ts'

/** Does one thing to a collection, for the token of the knock. */
type Serve = (knock: Knock, envelope: Envelope, around: DoorAround) => Promise<Reply>

type Ops = Readonly<Partial<Record<Op, Serve>>>

/** What can be done to each. */
const COLLECTIONS: Readonly<Record<string, Ops>> = {
  directory: DIRECTORY,
  ledger: { list: listReceipts, get: getReceipt, count: countReceipts },
  store: { list: listObjects, get: getObject, put: putObject, delete: deleteObject },
  people: PEOPLE,
  articles: ARTICLES,
}

/**
 * Answers an envelope whose target is a collection of the gateway. To read any but `store` is no call and no use; what is
 * done to `store` is a call of its rows.
 * @throws Refusal
 */
export async function answerCollection(
  knock: Knock,
  envelope: Envelope,
  around: DoorAround,
): Promise<Reply> {
  const { target, op } = envelope
  const ops = Object.hasOwn(COLLECTIONS, target) ? COLLECTIONS[target]! : {}
  const serve = ops[op]
  if (serve === undefined) throw notServed(target, op, Object.keys(ops))
  return serve(knock, envelope, around)
}

function notServed(target: string, op: Op, ops: readonly string[]): Refusal {
  return refusal('not_supported', 'op', {
    got: `${op} of ${target}`,
    repair: `use ${ops.join(', ')}`,
  })
}
