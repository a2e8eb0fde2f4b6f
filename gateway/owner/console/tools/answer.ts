import { parseJsonBody } from '../../../../catalog/index.ts'
import { html, type Markup } from '../../../pages/html.ts'
import { badge, prose } from '../../../pages/parts.ts'
import { pageAt } from '../address.ts'

/** As much of an answer is shown, in bytes. */
const SHOWN = 65_536

/** Names of our own fields on an answer. */
export interface AnswerNames {
  readonly receipt: string
  readonly refused: string
}

/** What came of a call, and where its receipt is. */
export async function answerOf(response: Response, names: AnswerNames): Promise<Markup> {
  const { status, headers } = response
  const bytes = await beginningOf(response)
  const receipt = headers.get(names.receipt)
  const refused = headers.get(names.refused)
  return html`<section class="card" id="answer" aria-labelledby="answer-head">
    <h2 id="answer-head">
      Answer ${badge(refused === null && status < 400 ? 'good' : 'bad', refused ?? String(status))}
    </h2>
    ${refused === null ? shown(bytes) : reasonsIn(bytes)}
    ${
      receipt === null
        ? undefined
        : html`<p><a class="button" href="${pageAt(['ledger', receipt])}">Receipt</a></p>`
    }
  </section>`
}

function shown(bytes: Buffer): Markup {
  const isCut = bytes.length > SHOWN
  const text = bytes.subarray(0, SHOWN).toString()
  const rows = Math.min(24, Math.max(2, Math.ceil(text.length / 60)))
  return html`<div class="field">
    <label for="body">${isCut ? `The first ${SHOWN} bytes` : 'Body'}</label>
    <textarea class="code" id="body" rows="${rows}" readonly spellcheck="false">${text}</textarea>
  </div>`
}

interface Reason {
  readonly axis: string
  readonly caveat?: string
  readonly got: string
  readonly repair: string
}

function reasonsIn(bytes: Buffer): Markup {
  const read = parseJsonBody(bytes)
  const { reasons = [] } = (read.ok ? read.value : {}) as { readonly reasons?: readonly Reason[] }
  const items = reasons.map(
    ({ axis, caveat, got, repair }) =>
      html`<p>
        ${caveat === undefined ? axis : html`<code>${caveat}</code>`}: got ${prose(got)};
        ${prose(repair)}.
      </p>`,
  )
  return html`<div class="note bad tight" role="alert">${items}</div>`
}

/** One byte more than is shown, where there are so many: what is behind it is not read. */
async function beginningOf({ body }: Response): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let length = 0
  if (body === null) return Buffer.alloc(0)
  for await (const piece of body as AsyncIterable<Uint8Array>) {
    pieces.push(piece)
    length += piece.length
    if (length > SHOWN) break
  }
  return Buffer.concat(pieces)
}
