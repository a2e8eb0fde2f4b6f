import type { Tool } from '../../catalog/index.ts'
import type { DoorAround, HolderDoor } from '../holder-door.ts'
import type { Knock, Reply } from '../knock.ts'
import { refusal } from '../refusal.ts'
import { doorPath } from '../run/address.ts'
import { methodNotTaken, toolNamed } from '../run/call.ts'
import { callableRows, type Standing } from '../standing.ts'
import { findTools, listTools } from '../tool-views.ts'
import { contractWithWays } from '../ways.ts'
import { getHeader } from '../wire/headers.ts'

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

/** Everything about one of them, or about a generic one that the token could call. */
export const answerContract: HolderDoor = async (knock, around) => {
  const standing = await standingFor(knock, around)
  const { rest: name = '', query } = doorPath(knock.path)
  const tool = toolNamed(name, around)
  if (tool !== undefined && callableRows(standing, [tool], knock.door).length > 0) {
    const { config } = around
    const { credential: token, headers } = knock
    const place = { config, token, host: getHeader(headers, 'host') }
    return jsonReply(contractWithWays(tool, query, place), around)
  }
  throw refusal('not_found', 'tool', {
    got: 'a name without a row that this token could call',
    repair: 'find it with `/g/find?q=…`',
  })
}

async function rowsFor(knock: Knock, around: DoorAround): Promise<readonly Tool[]> {
  return around.callable(await standingFor(knock, around), knock.door)
}

async function standingFor(knock: Knock, around: DoorAround): Promise<Standing> {
  if (knock.method === 'GET' || knock.method === 'HEAD') return around.standing(knock)
  throw methodNotTaken(knock.method, 'GET, HEAD')
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
