import { Buffer } from 'node:buffer'
import type { ListedObject, ListOptions, ObjectListing, StoredObject } from '../bucket.ts'
import type { BodyStore, StoredBody } from '../port.ts'
import { bucketFault } from '../rules/fault.ts'
import { keyBytes } from '../rules/limits.ts'
import { objectOf } from '../rules/object.ts'
import { createPage, listingOf, type Listed, type Wanted } from '../rules/page.ts'
import type { FoundObject } from './found.ts'

const FOLDER = 'ledger/bodies/'

interface BodyRow {
  readonly key: Buffer
  readonly size: number
  readonly body: StoredBody
}

/** The kept body of this key. Its SHA-256 is its etag as well: it is what is known without reading it. */
export async function findBody(
  bodies: Pick<BodyStore, 'find' | 'read'>,
  key: string,
): Promise<FoundObject | undefined> {
  if (!key.startsWith(FOLDER)) return undefined
  const body = await bodies.find(key.slice(FOLDER.length))
  return body && { object: objectOfBody(body), read: (range) => bodies.read(body.sha256, range) }
}

/** Lists kept bodies by their hashes; only what lies below their own folder can be listed here. */
export async function listBodies(
  bodies: Pick<BodyStore, 'list' | 'read'>,
  options: ListOptions,
): Promise<ObjectListing> {
  const page = createPage<BodyRow>(options)
  if (options.prefix?.startsWith(FOLDER) !== true)
    throw bucketFault(
      'InvalidArgument',
      `prefix: exchanges are not listed here; ask the ledger for them, or list \`${FOLDER}\``,
    )
  for (let wanted = page.wanted(); wanted !== undefined; wanted = page.wanted())
    page.add(await rowsOf(bodies, wanted))
  const objects: ListedObject[] = []
  for (const listed of page.listed) objects.push(await shownOf(bodies, listed))
  return listingOf(page, objects)
}

async function rowsOf(
  bodies: Pick<BodyStore, 'list'>,
  { from, to, rows }: Wanted,
): Promise<readonly BodyRow[]> {
  const first = from.toString('latin1')
  // Behind the folder, or it would begin like it.
  if (!first.startsWith(FOLDER)) return []
  const found = await bodies.list(first.slice(FOLDER.length), rows)
  return found
    .map((body) => ({ key: keyBytes(FOLDER + body.sha256), size: body.bytes, body }))
    .filter(({ key }) => to === undefined || key.compare(to) < 0)
}

/** What was erased since the page was made stays as the page has it, without its bytes. */
async function shownOf(
  bodies: Pick<BodyStore, 'read'>,
  { row, bodied }: Listed<BodyRow>,
): Promise<ListedObject> {
  const object = objectOfBody(row.body)
  const stream = bodied ? await bodies.read(row.body.sha256) : undefined
  if (stream === undefined) return object
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(piece as Buffer)
  return { ...object, bytes: Buffer.concat(pieces) }
}

function objectOfBody({ sha256, bytes, used }: StoredBody): StoredObject {
  return objectOf({
    key: FOLDER + sha256,
    version: sha256,
    size: bytes,
    etag: sha256,
    uploaded: Math.floor(used),
    checksums: { sha256 },
    httpMetadata: {},
    customMetadata: {},
  })
}
