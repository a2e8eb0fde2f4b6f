import { html, type Markup } from '../../../pages/html.ts'
import { prose, saidLines, tableOf } from '../../../pages/parts.ts'
import type { Judged } from './judge.ts'
import { cedarOf, explainCaveat, type Caveat } from '../../../../policy/index.ts'

/** What the button below a preview is called, and what it asks for. */
interface Doing {
  readonly head: string
  readonly value: string
  readonly button: string
}

/** What lines allow, in plain words and as the second engine gets them; nothing where there is none to be done. */
export function previewOf(judged: Judged | undefined, doing: Doing): Markup | undefined {
  if (judged === undefined || judged.caveats.length === 0) return undefined
  const said = judged.caveats.map((caveat) => ({ line: caveat.line, says: explainCaveat(caveat) }))
  return html`<section class="card" id="preview" aria-labelledby="preview-head">
    <h2 id="preview-head">${doing.head}</h2>
    ${saidLines(said)} ${inCedar(judged.caveats)}
    <input type="hidden" name="seen" value="${judged.digest}" />
    <p class="actions">
      <button class="first" name="do" value="${doing.value}">${doing.button}</button>
    </p>
  </section>`
}

/** The first thing to do, until it was done. */
export function previewButton(judged: Judged | undefined): Markup {
  const first = judged === undefined || judged.caveats.length === 0 ? 'first' : ''
  return html`<button class="${first}" name="do" value="preview">Preview</button>`
}

function inCedar(caveats: readonly Caveat[]): Markup {
  const { policy, context } = cedarOf(caveats)
  const reads = tableOf(
    'What the context holds',
    [
      { name: 'Context', cell: ([name]) => html`<code>${name}</code>` },
      { name: 'Reads', cell: ([, key]) => html`<code>${key}</code>` },
    ],
    Object.entries(context),
  )
  return html`<details>
    <summary>The same in Cedar</summary>
    <div class="tight">
      <pre tabindex="0" aria-label="Cedar policy">${policy}</pre>
      ${reads}
    </div>
  </details>`
}

/** What is wrong with lines, and that nothing was done. */
export function faultNote(judged: Judged | undefined, undone: string): Markup | undefined {
  if (judged === undefined || judged.caveats.length > 0) return undefined
  const { faults, fault } = judged
  const items = [...faults].map(
    ([at, reason]) => html`<li><a href="#${at}-value">Line ${at + 1}</a>: ${prose(reason)}</li>`,
  )
  const whole = fault === undefined ? undefined : html`<li>${prose(fault)}</li>`
  return html`<div class="note bad" role="alert">
    <p>${undone}</p>
    <ul>
      ${items}${whole}
    </ul>
  </div>`
}
