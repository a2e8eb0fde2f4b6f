import { contractOf, type Tool } from '../../catalog/index.ts'
import type { DoorAround, HolderDoor } from '../holder-door.ts'
import type { Knock, Reply } from '../knock.ts'
import { refusal } from '../refusal.ts'
import { doorPath } from '../run/address.ts'
import { methodNotTaken } from '../run/call.ts'
import { findTools, listTools } from '../tool-views.ts'

/** The rows that the token could call: their names, or what is wanted of them. */
export const answerTools: HolderDoor = async (knock, around) => {
  const rows = await rowsFor(knock, around)
  const { value, next } = listTools(rows, queryOf(knock), around.cursors)
  return jsonReply(value, around, next === undefined ? [] : [around.headers.cursor, next])
}

/** Of these, the ones that a question in plain words means. */
export const answerFind: HolderDoor = async (knock, around) => {
  const rows = new Set(await rowsFor(knock, around))
  const found = findTools(around.directory.resolver(), queryOf(knock), (row) => rows.has(row))
  return jsonReply(found, around)
}

/** Everything about one of them. */
export const answerContract: HolderDoor = async (knock, around) => {
  const rows = await rowsFor(knock, around)
  const { rest: name } = doorPath(knock.path)
  const tool = rows.find((row) => row.name === name)
  if (tool !== undefined) return jsonReply(contractOf(tool), around)
  throw refusal('not_found', 'tool', {
    got: 'a name without a row that this token could call',
    repair: 'find it with `/g/find?q=…`',
  })
}

async function rowsFor(knock: Knock, around: DoorAround): Promise<readonly Tool[]> {
  if (knock.method !== 'GET' && knock.method !== 'HEAD')
    throw methodNotTaken(knock.method, 'GET, HEAD')
  return around.callable(await around.standing(knock), knock.door)
}

function queryOf({ path }: Knock): object {
  return doorPath(path).query
}

function jsonReply(
  value: unknown,
  { head, headers }: DoorAround,
  more: readonly string[] = [],
): Reply {
  const fields = ['content-type', 'application/json', 'cache-control', 'no-store']
  return {
    status: 200,
    headers: [...fields, headers.head, head().hash, ...more],
    body: Buffer.from(`${JSON.stringify(value)}\n`),
  }
}
