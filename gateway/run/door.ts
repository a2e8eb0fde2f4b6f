import { isSafe } from '../../catalog/index.ts'
import { answerCollection } from '../collections/answer.ts'
import type { HolderDoor } from '../holder-door.ts'
import type { Knock } from '../knock.ts'
import { doorPath } from './address.ts'
import { methodNotTaken, readCall, type NamedCall } from './call.ts'
import { asksForPage, confirmPage } from './confirm.ts'
import { knockOfCall } from './knock.ts'
import { wantedOf } from './wanted.ts'

/** Runs one tool by its name: such a knock becomes that of the call itself. */
export const runOne: HolderDoor = async (knock, around) => {
  const call = await readCall(knock, around)
  if ('collection' in call)
    return answerCollection({ ...knock, body: null }, call.collection, around)
  if (asksForPage(knock, call)) return confirmPage(knock, call, around)
  checkMeant(knock, call)
  const envelope = wantedOf(knock, call.envelope, around.headers.want)
  return around.exchange(knockOfCall(knock, { ...call, envelope }, around))
}

/** Browsers and mail programs open links by themselves: what changes something is posted. */
function checkMeant({ path, method }: Knock, { tool }: NamedCall): void {
  if (doorPath(path).rest === undefined) return
  const methods = isSafe(tool) ? ['GET', 'HEAD', 'POST'] : ['POST']
  if (!methods.includes(method)) throw methodNotTaken(method, methods.join(', '))
}
