import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { html } from '../../../pages/html.ts'
import { newGrantId } from '../../../ids.ts'
import { mintGrant } from '../../actions.ts'
import { reading } from '../../faults.ts'
import type { OwnerPorts } from '../../ports.ts'
import { addDoors } from '../../routes/doors.ts'
import { pageAt } from '../address.ts'
import { fieldOf, type Form } from '../forms.ts'
import { csrfField, framed } from '../frame.ts'
import { linesOf } from '../query.ts'
import { linesEditor } from '../lines/editor.ts'
import { judgeRows, type Judged } from '../lines/judge.ts'
import { mintedPage } from './minted.ts'
import { faultNote, previewButton, previewOf } from '../lines/preview.ts'
import { changedRows, linesForm, rowOf, rowsOf, type Row } from '../lines/rows.ts'

/** So long does a grant hold where nothing else is written: as with `run`. */
const FIRST_HOURS = 2

/** Making a grant: a form drawn from the table of axes, a preview, then the token, once. */
export function mintPages(scope: FastifyInstance, ports: OwnerPorts): void {
  addDoors(scope, '/mint', {
    GET: async (request) => {
      const linked = linesOf(request)
      const lines = linked.length === 0 ? firstLines(ports) : linked
      const rows = reading('lines', () => lines.map(rowOf))
      return formPage(request, ports, { id: newGrantId(), rows, judged: undefined })
    },
    POST: {
      body: linesForm(['preview', 'mint'], { id: fieldOf() }),
      handler: (request, reply) => act(request, reply, ports),
    },
  })
}

interface Draft {
  /** Of the grant to be: the same form, sent twice, makes one grant. */
  readonly id: string
  readonly rows: readonly Row[]
  readonly judged: Judged | undefined
  /** What stands above the form. */
  readonly note?: string
}

async function act(
  request: FastifyRequest,
  reply: FastifyReply,
  ports: OwnerPorts,
): Promise<string> {
  const form = request.body as Form
  const { id = newGrantId(), do: what = 'preview', seen } = form
  const rows = rowsOf(form)
  const changed = changedRows(rows, what, ports.axes)
  if (changed !== undefined)
    return formPage(request, ports, { id, rows: changed, judged: undefined })
  const judged = judgeRows(rows, (lines) => ports.issuer.verify(ports.issuer.mint(id, lines)))
  const draft = { id, rows, judged }
  const faulty = judged.caveats.length === 0
  if (faulty) reply.code(400)
  if (faulty || what !== 'mint') return formPage(request, ports, draft)
  // What is minted was looked at.
  if (seen !== judged.digest) {
    const note = 'The lines have changed since the preview. Look at them once more, then mint.'
    return formPage(request, ports, { ...draft, note })
  }
  const minted = await mintGrant({ id, lines: judged.lines }, ports)
  return framed(request, 'Minted', mintedPage(minted, request, ports))
}

function formPage(request: FastifyRequest, { axes }: OwnerPorts, draft: Draft): string {
  const { id, rows, judged, note } = draft
  const main = html`<form
    class="stack"
    method="post"
    action="${pageAt(['mint'])}#preview"
    data-lines
  >
    <div class="tight">
      <h1>Mint a token</h1>
      <p class="lead">
        Each line narrows what the token may do, and all of them must hold. Without a line about
        something, nothing is said about it.
      </p>
    </div>
    ${csrfField(request)}<input type="hidden" name="id" value="${id}" />
    ${faultNote(judged, 'Nothing was minted.')}${note === undefined ? undefined : html`<p class="note warn" role="alert">${note}</p>`}
    ${linesEditor({ axes, rows, judged })}
    <p class="actions">${previewButton(judged)}</p>
    ${previewOf(judged, { head: 'What the token will allow', value: 'mint', button: 'Mint this token' })}
  </form>`
  return framed(request, 'Mint a token', main)
}

function firstLines({ clock }: OwnerPorts): readonly string[] {
  const expires = new Date(clock.now() + FIRST_HOURS * 3_600_000).toISOString()
  return ['tools = HTTP_*', `expires < ${expires.slice(0, 19)}Z`, 'uses <= 100']
}
