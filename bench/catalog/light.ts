import { Tiktoken } from 'js-tiktoken/lite'
import o200k from 'js-tiktoken/ranks/o200k_base'
import type { Tool } from '../../catalog/index.ts'
import { listTools } from '../../gateway/tool-views.ts'
import type { Part, Row } from '../rows.ts'
import { madeCatalog } from './made.ts'

/** The catalog on which the bounds are set. */
const ROWS = 1340
const MOST_BYTES = 28_080
const LEAST_RATIO = 49

/** What a model has to read of a catalog: all of it, and the light listing, in bytes and tokens (o200k_base). */
export function light(document: readonly Tool[] | string): Part {
  const made = rowsOf(`${ROWS} rows`, madeCatalog(ROWS), { most: MOST_BYTES, least: LEAST_RATIO })
  if (typeof document === 'string') return { rows: made, skipped: [document] }
  return { rows: [...made, ...rowsOf('the document', document)], skipped: [] }
}

interface Bounds {
  readonly most: number
  readonly least: number
}

function rowsOf(against: string, tools: readonly Tool[], bounds?: Bounds): readonly Row[] {
  const encoder = new Tiktoken(o200k)
  const { value } = listTools(tools, { light: '1' }, NO_CURSORS)
  const [whole, names] = [tools, value].map((listed) => `${JSON.stringify(listed)}\n`)
  const [bytes = 0, lightBytes = 0] = [whole, names].map((text) => Buffer.byteLength(text!))
  const [tokens = 0, lightTokens = 0] = [whole, names].map((text) => tokensIn(encoder, text!))
  return [
    { name: 'listing, whole: bytes', value: bytes, unit: 'bytes', against },
    {
      name: 'listing, light: bytes',
      value: lightBytes,
      unit: 'bytes',
      against,
      ...(bounds && { most: bounds.most }),
    },
    {
      name: 'listing, light: bytes',
      value: bytes / lightBytes,
      unit: '×',
      against: `listing, whole, ${against}`,
      ...(bounds && { floor: bounds.least }),
    },
    { name: 'listing, whole: tokens', value: tokens, unit: 'tokens', against },
    { name: 'listing, light: tokens', value: lightTokens, unit: 'tokens', against },
    {
      name: 'listing, light: tokens',
      value: tokens / lightTokens,
      unit: '×',
      against: `listing, whole, ${against}`,
    },
  ]
}

/** Line by line of about a row, since the encoder takes the square of a text's length. */
function tokensIn(encoder: Tiktoken, text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at += PIECE)
    count += encoder.encode(text.slice(at, at + PIECE)).length
  return count
}

const PIECE = 16_384

/** A whole list has no pages. */
const NO_CURSORS = { sign: (text: string) => text, check: (text: string) => text }
