import type { FastifyInstance } from 'fastify'
import { html, type Markup } from '../../pages/html.ts'
import { facts, tableOf, tiles, timeOf } from '../../pages/parts.ts'
import type { OwnerPorts } from '../ports.ts'
import { addGet } from '../routes/get.ts'
import { createStatus, type Status } from '../status.ts'
import { readFigures, type Figure } from './figures.ts'
import { framed } from './frame.ts'
import { readQuery } from './query.ts'

/** How the gateway is doing: readiness, ledger, load and what was turned away. */
export function healthPage(scope: FastifyInstance, ports: OwnerPorts): void {
  const status = createStatus(ports)
  addGet(scope, '/health', async (request) => {
    readQuery(request, [])
    const figures = readFigures(await ports.registry.metrics())
    const now = status()
    const main = html`<div class="stack">
      <h1>Health</h1>
      ${readiness(now)} ${glance(now, figures)}
      <section class="card" aria-labelledby="ledger-head">
        <h2 id="ledger-head">Ledger</h2>
        ${ledger(now)}
      </section>
      <section class="card" aria-labelledby="program-head">
        <h2 id="program-head">Program</h2>
        ${program(now)}
      </section>
      ${counted('Turned away, and lost', figures, ['sheds_total', 'receipts_lost_total', 'requests_unreadable_total'])}
      ${counted('Exchanges and refusals', figures, ['exchanges_total', 'refusals_total', 'cedar_disagreements_total'])}
    </div>`
    return framed(request, 'Health', main)
  })
}

/** Whether calls are let through, and what keeps them from it. */
export function readiness({ not_ready: missing, ledger: { ready } }: Status): Markup {
  if (missing.length === 0)
    return html`<p class="note good">Ready: calls are decided, recorded and let through.</p>`
  const why = ready.why === undefined ? undefined : html` The ledger says: ${ready.why}.`
  return html`<p class="note bad" role="alert">Not ready: ${missing.join(', ')}.${why}</p>`
}

function glance({ ledger: { lag, pending } }: Status, figures: readonly Figure[]): Markup {
  const valueOf = (name: string) => figures.find((figure) => figure.name === name)?.value
  const delay = valueOf('nodejs_eventloop_lag_p99_seconds')
  const sheds = figures.filter(({ name }) => name === 'sheds_total')
  return tiles([
    {
      name: 'Event loop, p99',
      value: delay === undefined ? '–' : `${(delay * 1000).toFixed(1)} ms`,
    },
    { name: 'Waiting for the disk', value: pending },
    { name: 'Not indexed yet', value: lag },
    { name: 'Tunnels open', value: valueOf('tunnels_open') ?? '–' },
    { name: 'Turned away', value: sheds.reduce((sum, { value }) => sum + value, 0) },
  ])
}

function ledger({ ledger: { mode, records, syncs, head } }: Status): Markup {
  return facts([
    ['Mode', mode],
    ['Records of this start', records],
    ['Syncs to the disk', syncs],
    ['Writer', html`<code>${head.writer}</code>, record ${head.n}`],
    ['Head', html`<code>${head.hash}</code>`],
  ])
}

function program({ version, configuration, started, uptime_seconds: uptime }: Status): Markup {
  return facts([
    ['Version', version],
    ['Started', html`${timeOf(started)}, ${uptime} seconds ago`],
    ['Configuration', html`<code>${configuration}</code>`],
  ])
}

/** All figures of some counters, those that have counted nothing left out. */
function counted(
  caption: string,
  figures: readonly Figure[],
  names: readonly string[],
): Markup | undefined {
  const rows = figures.filter(({ name, value }) => names.includes(name) && value > 0)
  const table = tableOf(
    caption,
    [
      { name: 'What', cell: ({ name }) => name.replace(/_total$/, '').replaceAll('_', ' ') },
      { name: 'Of which', cell: ({ labels }) => Object.values(labels).join(', ') || '–' },
      { name: 'Count', kind: 'number', cell: ({ value }) => value },
    ],
    rows,
  )
  if (table === undefined) return undefined
  return html`<section class="tight">
    <h2>${caption}</h2>
    ${table}
  </section>`
}
