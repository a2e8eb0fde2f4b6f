import type { FastifyRequest } from 'fastify'
import { html, type Markup } from '../../../pages/html.ts'
import { saidLines } from '../../../pages/parts.ts'
import { tokenLinks } from '../../../../catalog/index.ts'
import { wordsOf } from '../../../line-words.ts'
import type { Minted } from '../../actions.ts'
import { holderBase } from '../../holder-base.ts'
import type { OwnerPorts } from '../../ports.ts'
import { pageAt } from '../address.ts'

/** A token as it is given out: here, and never again. */
export function mintedPage(
  { id, lines, token }: Minted,
  request: FastifyRequest,
  ports: OwnerPorts,
): Markup {
  const links = tokenLinks(holderBase(request, ports), token).map(({ name, says, url }) =>
    toKeep(name.toLowerCase(), `${name} – ${says}`, url),
  )
  return html`<div class="stack">
    <h1>Minted</h1>
    <p class="note warn">
      This is the only time that the token is shown: the gateway keeps none. Whoever has it, or one
      of its links, can do what it allows.
    </p>
    <section class="card" aria-labelledby="token-head">
      <h2 id="token-head">Take it along</h2>
      ${toKeep('token', 'Token', token)} ${links}
      <p class="unseen" id="copied" role="status"></p>
    </section>
    <section class="card" aria-labelledby="allows-head">
      <h2 id="allows-head">What it allows</h2>
      ${saidLines(lines.map((line) => ({ line, says: wordsOf(line) })))}
    </section>
    <p class="actions">
      <a class="button" href="${pageAt(['grants', id])}">Grant ${id}</a
      ><a class="button light" href="${pageAt(['mint'])}">Mint another</a>
    </p>
  </div>`
}

/** A text to carry elsewhere, with a button for it where the browser lets a page copy. */
function toKeep(id: string, label: string, text: string): Markup {
  const rows = Math.min(6, Math.ceil(text.length / 60))
  return html`<div class="field">
    <label for="${id}">${label}</label>
    <div class="keep">
      <textarea class="code" id="${id}" rows="${rows}" readonly spellcheck="false">${text}</textarea
      ><button type="button" data-copies="${id}" aria-label="Copy: ${label}" hidden>Copy</button>
    </div>
  </div>`
}
