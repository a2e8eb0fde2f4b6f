import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { html, type Markup } from '../../../pages/html.ts'
import { saidLines } from '../../../pages/parts.ts'
import { wordsOf } from '../../../line-words.ts'
import { checkLeash, TokenFault } from '../../../../policy/index.ts'
import { leashGrant } from '../../actions.ts'
import type { Found } from '../../grant-view.ts'
import type { OwnerPorts } from '../../ports.ts'
import { addDoors } from '../../routes/doors.ts'
import { pageAt } from '../address.ts'
import type { Form } from '../forms.ts'
import { csrfField, framed } from '../frame.ts'
import { linesEditor } from '../lines/editor.ts'
import { judgeRows, type Judged } from '../lines/judge.ts'
import { faultNote, previewButton, previewOf } from '../lines/preview.ts'
import { changedRows, linesForm, rowOf, rowsOf, type AxisRow, type Row } from '../lines/rows.ts'
import { linesOf } from '../query.ts'
import { reading } from '../../faults.ts'
import { knownGrant } from './known.ts'

/** Putting lines on a grant that was handed out. */
export function leashPages(scope: FastifyInstance, ports: OwnerPorts): void {
  addDoors(scope, '/grants/:id/leash', {
    GET: async (request) => {
      const grant = await knownGrant(request, ports)
      const rows = reading('lines', () => linesOf(request).map(rowOf))
      return formPage(request, ports, { grant, rows, judged: undefined })
    },
    POST: {
      body: linesForm(['preview', 'put']),
      handler: (request, reply) => act(request, reply, ports),
    },
  })
}

interface Draft {
  readonly grant: Found
  readonly rows: readonly Row[]
  readonly judged: Judged | undefined
}

async function act(
  request: FastifyRequest,
  reply: FastifyReply,
  ports: OwnerPorts,
): Promise<unknown> {
  const { do: what = 'preview', seen, ...form } = request.body as Form
  const grant = await knownGrant(request, ports)
  const rows = rowsOf(form)
  const changed = changedRows(rows, what, leashAxes(ports))
  if (changed !== undefined)
    return formPage(request, ports, { grant, rows: changed, judged: undefined })
  const judged = judgeRows(rows, (lines) => checkAll(lines, grant))
  const faulty = judged.caveats.length === 0
  if (faulty) reply.code(400)
  // What is put there was looked at.
  if (faulty || what !== 'put' || seen !== judged.digest)
    return formPage(request, ports, { grant, rows, judged })
  await leashGrant(grant.id, judged.lines, ports)
  return reply.redirect(pageAt(['grants', grant.id]), 303)
}

function checkAll(lines: readonly string[], { leash }: Found): void {
  if (lines.length === 0) throw new TokenFault('caveat', 'there is no line yet; add one')
  checkLeash([...leash, ...lines])
}

/** The axes that policy lets stand in a leash. */
function leashAxes({ axes }: OwnerPorts): readonly AxisRow[] {
  return axes.filter(({ example }) => {
    try {
      checkLeash([example])
      return true
    } catch (error) {
      if (error instanceof TokenFault) return false
      throw error
    }
  })
}

function formPage(request: FastifyRequest, ports: OwnerPorts, draft: Draft): string {
  const { grant, rows, judged } = draft
  const main = html`<form
    class="stack"
    method="post"
    action="${pageAt(['grants', grant.id, 'leash'])}#preview"
    data-lines
  >
    <div class="tight">
      <h1>Put lines on <code>${grant.id}</code></h1>
      <p class="lead">
        They hold for every token of the grant from the next call on, and cut what is open and
        forbidden by them. Lines are only ever added: none can be taken off again.
      </p>
    </div>
    ${csrfField(request)} ${present(grant)} ${faultNote(judged, 'Nothing was put on the grant.')}
    ${linesEditor({ axes: leashAxes(ports), rows, judged })}
    <p class="actions">
      ${previewButton(judged)}<a class="button light" href="${pageAt(['grants', grant.id])}"
        >Back</a
      >
    </p>
    ${previewOf(judged, { head: 'What is added', value: 'put', button: 'Put these lines on the grant' })}
  </form>`
  return framed(request, `Put lines on ${grant.id}`, main)
}

function present({ lines, leash }: Found): Markup {
  const said = [...lines, ...leash].map((line) => ({ line, says: wordsOf(line) }))
  return html`<section class="card" aria-labelledby="now-head">
    <h2 id="now-head">What holds already</h2>
    ${saidLines(said)}
  </section>`
}
