import type { HolderDoor } from '../holder-door.ts'
import type { Knock } from '../knock.ts'
import { doorPath } from './address.ts'
import { methodNotTaken, readCall, type NamedCall } from './call.ts'
import { knockOfCall } from './knock.ts'

/** Methods that change nothing (RFC 9110, 9.2.1): a link that is only opened may run no others. */
const SAFE: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/** Runs one tool by its name: such a knock becomes that of the call itself. */
export const runOne: HolderDoor = async (knock, around) => {
  const call = await readCall(knock, around)
  checkMeant(knock, call)
  return around.exchange(knockOfCall(knock, call, around))
}

/** Browsers and mail programs open links by themselves: what changes something is posted. */
function checkMeant({ path, method }: Knock, { tool }: NamedCall): void {
  if (doorPath(path).rest === undefined) return
  const methods = SAFE.includes(tool.method) ? ['GET', 'HEAD', 'POST'] : ['POST']
  if (!methods.includes(method)) throw methodNotTaken(method, methods.join(', '))
}
