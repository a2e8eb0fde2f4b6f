import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parseJsonBody, writtenJson, type Tool } from '../../../../catalog/index.ts'
import type { DirectCall } from '../../../direct.ts'
import { html, type Markup } from '../../../pages/html.ts'
import { facts } from '../../../pages/parts.ts'
import { refusalOfProblems } from '../../../problems.ts'
import { refusal } from '../../../refusal.ts'
import { isMembers } from '../../../batch/calls.ts'
import { toolNamed } from '../../../run/call.ts'
import { mintGrant } from '../../actions.ts'
import type { OwnerPorts } from '../../ports.ts'
import { addDoors } from '../../routes/doors.ts'
import { pageAt } from '../address.ts'
import { fieldOf, formOf, type Form } from '../forms.ts'
import { csrfField, framed } from '../frame.ts'
import { readQuery } from '../query.ts'
import { answerOf } from './answer.ts'
import { argFields, MORE, readArgs } from './fields.ts'

/** What the console needs besides the owner's doors: the way of a call. */
export interface CallingPorts extends OwnerPorts {
  readonly call: DirectCall
}

/** So long does a token live that is made for one call, in seconds. */
const MINTED_SECONDS = 60

/** Trying a tool: its arguments as a form, filled in by the address; a call is made when the form is sent. */
export function toolPages(scope: FastifyInstance, ports: CallingPorts): void {
  addDoors(scope, '/tools/:tool', {
    GET: async (request) => {
      const tool = toolOf(request, ports)
      const { args } = readQuery(request, ['args'])
      return formPage(request, { tool, args: args === undefined ? {} : argsIn(args) })
    },
    POST: {
      body: formOf({ token: fieldOf(), [MORE]: fieldOf() }, { '^arg\\.': fieldOf() }),
      handler: (request, reply) => act(request, reply, ports),
    },
  })
}

function toolOf({ params }: FastifyRequest, { directory }: OwnerPorts): Tool {
  const { tool: name } = params as { readonly tool: string }
  const tool = toolNamed(name, directory)
  if (tool !== undefined) return tool
  const repair = 'look for it with `narrowgate find`'
  throw refusal('not_found', 'tool', { got: 'a name without a row', repair })
}

function argsIn(text: string): Readonly<Record<string, unknown>> {
  const read = parseJsonBody(Buffer.from(text))
  if (read.ok && isMembers(read.value)) return read.value
  const repair = 'write the arguments as a JSON object'
  throw refusal('malformed_request', 'args', { got: 'no JSON object', repair })
}

async function act(
  request: FastifyRequest,
  _reply: FastifyReply,
  ports: CallingPorts,
): Promise<string> {
  const form = request.body as Form
  const tool = toolOf(request, ports)
  const { args, problems } = readArgs(tool, form)
  if (problems.length > 0) throw refusalOfProblems(problems)
  const pasted = form['token']?.trim() ?? ''
  const token = pasted === '' ? await mintFor(tool, ports) : pasted
  const response = await ports.call(token, writtenJson({ tool: tool.name, args }))
  const answer = await answerOf(response, ports.answerNames())
  return formPage(request, { tool, args, answer })
}

/** A token for this one call and nothing else. */
async function mintFor({ name }: Tool, ports: OwnerPorts): Promise<string> {
  const end = new Date(ports.clock.now() + MINTED_SECONDS * 1000).toISOString()
  const lines = [
    `tools = ${name}`,
    'ways = rest',
    'uses <= 1',
    `expires < ${end.slice(0, 19)}Z`,
    'delegate = no',
  ]
  return (await mintGrant({ lines }, ports)).token
}

interface Shown {
  readonly tool: Tool
  readonly args: Readonly<Record<string, unknown>>
  readonly answer?: Markup
}

function formPage(request: FastifyRequest, { tool, args, answer }: Shown): string {
  const { name, summary, method, path } = tool
  const main = html`<div class="stack">
    <div class="tight">
      <h1>${name}</h1>
      <p class="lead">${summary}</p>
    </div>
    ${answer}
    <form class="stack" method="post" action="${pageAt(['tools', name])}#answer">
      ${csrfField(request)}
      <section class="card" aria-labelledby="args-head">
        <h2 id="args-head">Arguments</h2>
        ${facts([['Request', html`<code>${method} ${path}</code>`]])}
        <p class="help">
          An empty field is left out. A text in quotes is read as JSON, so that <code>""</code> is
          the empty text.
        </p>
        ${argFields(tool, args)}
      </section>
      <section class="card" aria-labelledby="token-head">
        <h2 id="token-head">Token</h2>
        <div class="field">
          <label for="token">Token of the call</label>
          <input
            class="code"
            id="token"
            name="token"
            type="password"
            autocomplete="off"
            aria-describedby="token-help"
          />
          <p class="help" id="token-help">
            Without one a token is made for this call: this tool alone, one use, ${MINTED_SECONDS}
            seconds.
          </p>
        </div>
      </section>
      <p class="actions"><button class="first">Call it</button></p>
    </form>
  </div>`
  return framed(request, name, main)
}
