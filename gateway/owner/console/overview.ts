import type { FastifyInstance } from 'fastify'
import { html } from '../../pages/html.ts'
import { tiles } from '../../pages/parts.ts'
import type { OwnerPorts } from '../ports.ts'
import { addGet } from '../routes/get.ts'
import { createStatus } from '../status.ts'
import { pageAt } from './address.ts'
import { framed } from './frame.ts'
import { stateOf } from './grant-state.ts'
import { readiness } from './health.ts'
import { receiptTable } from './ledger/table.ts'
import { readQuery } from './query.ts'

const LATEST = 10

/** Where the owner begins: how it goes, and what was done last. */
export function overviewPage(scope: FastifyInstance, ports: OwnerPorts): void {
  const { clock, grants, index } = ports
  const status = createStatus(ports)
  addGet(scope, '/', async (request) => {
    readQuery(request, [])
    await index.sync()
    const counts = await index.counts({})
    const known = await grants.list()
    const live = known.filter((grant) => stateOf(grant, clock.now()) === 'live').length
    const outcomes = Object.entries(counts).map(([outcome, value]) => ({
      name: `Calls ${outcome}`,
      value: html`<a href="${pageAt(['ledger'], { outcome })}">${value}</a>`,
    }))
    const latest = receiptTable(await index.list({ limit: LATEST }))
    const main = html`<div class="stack">
      <div class="head">
        <h1>Overview</h1>
        <a class="button first" href="${pageAt(['mint'])}">Mint a token</a>
      </div>
      ${readiness(status())}
      ${tiles([{ name: 'Grants live', value: html`<a href="${pageAt(['grants'])}">${live}</a>` }, ...outcomes])}
      <section class="tight" aria-labelledby="latest-head">
        <h2 id="latest-head">What was done last</h2>
        ${latest ?? html`<p class="card nothing">No call yet. Mint a token, hand it to a program, and its calls show here.</p>`}
      </section>
    </div>`
    return framed(request, 'Overview', main)
  })
}
