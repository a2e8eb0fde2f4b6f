import type { Readable } from 'node:stream'
import type { Receipt } from '../adapters/ledger/port.ts'
import type { BodyStore } from '../adapters/objects/port.ts'
import type { RawHeaders } from '../adapters/upstream/port.ts'
import { genericTool, inputFormOf, type Tool } from '../catalog/index.ts'
import type { Config } from './config/types.ts'
import { refusalOfProblems } from './problems.ts'
import { refusal, type Refusal } from './refusal.ts'
import type { Wants } from './wants.ts'
import { createCut, type Cutting } from './wire/cut.ts'
import { EncodingFault, readableBody } from './wire/encodings.ts'

/** A recorded answer that was cut again. */
export interface Recut {
  readonly headers: RawHeaders
  readonly body: Buffer
}

export interface RecutPorts {
  readonly bodies: Pick<BodyStore, 'read'>
  readonly wants: Wants
  /** The configuration in force: what a row shows is what it shows now. */
  config(): Pick<Config, 'catalog' | 'limits' | 'headers'>
}

/**
 * Cuts the answer that was kept of an exchange, as the header `want` with this text would have. Nothing runs, nothing
 * is recorded, and it is no use. Only JSON is given out: other bodies were written by strangers for no page of ours.
 * @throws Refusal saying what stands in the way
 */
export async function recut(
  receipt: Receipt,
  wantText: string,
  { bodies, wants, config }: RecutPorts,
): Promise<Recut> {
  const { catalog, limits, headers: names } = config()
  const tool = toolOf(receipt, catalog)
  const kept = keptOf(receipt)
  const wanted = wants.of(tool, wantText)
  if (!wanted.ok) throw refusalOfProblems(wanted.problems)
  const fields = ['content-type', kept.mediaType]
  if (inputFormOf(kept.mediaType) === undefined) throw notJson(kept.mediaType)
  const cut = createCut({ projection: wanted.projection, tool }, 200, { fields, limits })
  if (cut?.kind !== 'cut') throw notJson(kept.mediaType)
  const stored = await bodies.read(kept.sha256)
  if (stored === undefined) {
    throw unfound(
      `a body that was erased since, \`${kept.sha256}\``,
      'the receipt itself still stands',
    )
  }
  const coded = kept.coding === undefined ? [] : ['content-encoding', kept.coding]
  const body = await decoded(() =>
    cutWhole(readableBody(stored, coded).body, cut, limits.collectedBytes),
  )
  const [before, after] = cut.figures()
  return {
    headers: [
      'content-type',
      cut.mediaType,
      names.receipt,
      receipt.id,
      names.projected,
      `${before}->${after}`,
      ...cut.cursorFields(names.cursor),
    ],
    body,
  }
}

/** The row as it is now: without it nobody can say what its `only` shows. */
function toolOf(receipt: Receipt, catalog: readonly Tool[]): Tool {
  const { tool: name } = receipt
  const row = catalog.find((tool) => tool.name === name)
  if (row !== undefined) return row
  const [, method] = typeof name === 'string' ? (/^HTTP_([A-Z0-9_]+)$/.exec(name) ?? []) : []
  if (method !== undefined) return genericTool(method)
  throw unfound(
    typeof name === 'string' ? `the row \`${name}\`, which the catalog has no more` : 'no tool',
    'put the row back: what it shows of answers is its own to say',
  )
}

interface Kept {
  readonly sha256: string
  readonly mediaType: string
  readonly coding: string | undefined
}

/** Where the answer is kept: as the upstream gave it, or else as the client got it. */
function keptOf({ response, delivered, outcome }: Receipt): Kept {
  const answers = [response, delivered].filter((body) => body !== undefined)
  if (answers.length === 0) {
    throw unfound(`an exchange without an answer, \`${outcome}\``, 'ask for one that was answered')
  }
  const [kept] = answers.map(readKept).filter((body) => body !== undefined)
  if (kept !== undefined) return kept
  throw unfound(
    'an answer whose body was not kept',
    'set `keep` of the row or upstream to `upstream`',
  )
}

function readKept(body: unknown): Kept | undefined {
  const { body: sha256, media_type: mediaType, coding } = body as Readonly<Record<string, unknown>>
  if (typeof sha256 !== 'string') return undefined
  return {
    sha256,
    mediaType: typeof mediaType === 'string' ? mediaType : '',
    coding: typeof coding === 'string' ? coding : undefined,
  }
}

/** A coding that is not known, or does not hold what it says, is the recorded answer's fault. */
async function decoded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof EncodingFault)) throw error
    const repair = 'its bytes lie in the store as they came'
    throw refusal(error.code, 'answer', { got: error.message, repair })
  }
}

async function cutWhole(source: Readable, { step }: Cutting, most: number): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let length = 0
  const take = (more: readonly Uint8Array[]): void => {
    for (const piece of more) {
      pieces.push(piece)
      length += piece.length
    }
    if (length > most) {
      source.destroy()
      throw refusal('too_large', 'want', {
        got: `more than ${most} bytes`,
        repair: 'ask for fewer rows or fields, or raise limits.collected_bytes',
      })
    }
  }
  for await (const chunk of source) take(step.push(chunk as Buffer))
  take(step.end())
  return Buffer.concat(pieces)
}

function unfound(got: string, repair: string): Refusal {
  return refusal('not_found', 'answer', { got, repair })
}

function notJson(mediaType: string): Refusal {
  return refusal('no_rows', 'want', {
    got:
      mediaType === ''
        ? 'an answer of no known type'
        : `an answer that is \`${mediaType.slice(0, 80)}\``,
    repair: 'leave `want` out for the receipt; only JSON is cut down',
  })
}
