import type { FastifyInstance } from 'fastify'
import type { KnownGrant } from '../../../adapters/grants/port.ts'
import { html, type Markup } from '../../pages/html.ts'
import { tableOf, timeOf, type Column } from '../../pages/parts.ts'
import { refusal } from '../../refusal.ts'
import type { OwnerPorts } from '../ports.ts'
import { addGet } from '../routes/get.ts'
import { pageAt } from './address.ts'
import { framed } from './frame.ts'
import { endOf, stateBadge, stateOf } from './grant-state.ts'
import { readQuery } from './query.ts'

const ON_A_PAGE = 50

/** All grants that were minted where this store is, a page at a time, with a search over all of them. */
export function grantsPage(scope: FastifyInstance, { clock, grants }: OwnerPorts): void {
  addGet(scope, '/grants', async (request) => {
    const { q = '', page = '1' } = readQuery(request, ['q', 'page'])
    const found = (await grants.list()).filter((grant) => matches(grant, q.toLowerCase()))
    const pages = Math.max(1, Math.ceil(found.length / ON_A_PAGE))
    const at = pageNumber(page, pages)
    const shown = found.slice((at - 1) * ON_A_PAGE, at * ON_A_PAGE)
    const table = tableOf('Grants', columns(clock.now()), shown)
    const main = html`<div class="stack">
      <div class="head">
        <h1>Grants</h1>
        <a class="button first" href="${pageAt(['mint'])}">Mint a token</a>
      </div>
      <form class="filters" role="search" action="${pageAt(['grants'])}">
        <div class="field">
          <label for="q">Search in ids, tasks and lines</label
          ><input id="q" name="q" type="search" value="${q}" maxlength="200" />
        </div>
        <p class="actions"><button>Search</button></p>
      </form>
      <p class="soft" role="status">${counted(found.length, q)}</p>
      ${table ?? html`<p class="card nothing">${q === '' ? 'No grant has been minted yet.' : 'No grant is like that.'}</p>`}
      ${pager(at, pages, q)}
    </div>`
    return framed(request, 'Grants', main)
  })
}

function matches({ id, task = '', lines, leash }: KnownGrant, wanted: string): boolean {
  if (wanted === '') return true
  return [id, task, ...lines, ...leash].some((text) => text.toLowerCase().includes(wanted))
}

function pageNumber(text: string, pages: number): number {
  if (/^[1-9]\d{0,6}$/.test(text) && Number(text) <= pages) return Number(text)
  const repair = `write a whole number from 1 to ${pages}`
  throw refusal('malformed_request', 'page', { got: `\`${text.slice(0, 80)}\``, repair })
}

function counted(count: number, search: string): string {
  const grants = count === 1 ? '1 grant' : `${count} grants`
  return search === '' ? grants : `${grants} with “${search}”`
}

function columns(now: number): readonly Column<KnownGrant>[] {
  return [
    {
      name: 'Grant',
      cell: ({ id }) => html`<a href="${pageAt(['grants', id])}"><code>${id}</code></a>`,
    },
    { name: 'State', cell: (grant) => stateBadge(stateOf(grant, now)) },
    { name: 'Task', cell: ({ task }) => task ?? '–' },
    {
      name: 'Lines',
      kind: 'wide',
      cell: ({ lines }) => html`<code>${lines.slice(0, 2).join(' · ')}</code>${moreLines(lines)}`,
    },
    { name: 'Minted', kind: 'wide', cell: ({ minted }) => timeOf(minted) },
    { name: 'Ends', kind: 'wide', cell: ({ lines, leash }) => endTime([...lines, ...leash]) },
  ]
}

function moreLines(lines: readonly string[]): Markup | undefined {
  return lines.length > 2 ? html` <span class="soft">+${lines.length - 2}</span>` : undefined
}

function endTime(lines: readonly string[]): Markup {
  const end = endOf(lines)
  return timeOf(end === undefined ? undefined : new Date(end).toISOString())
}

function pager(at: number, pages: number, q: string): Markup | undefined {
  if (pages === 1) return undefined
  const link = (page: number, text: string) =>
    page < 1 || page > pages
      ? undefined
      : html`<a class="button" href="${pageAt(['grants'], { q, page })}">${text}</a>`
  return html`<nav class="actions" aria-label="Pages">
    ${link(at - 1, 'Newer')}<span class="soft">Page ${at} of ${pages}</span>${link(at + 1, 'Older')}
  </nav>`
}
