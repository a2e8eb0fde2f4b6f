import type { FastifyInstance } from 'fastify'
import { sectionOf } from '../../config/index.ts'
import { html } from '../../pages/html.ts'
import { facts } from '../../pages/parts.ts'
import type { OwnerPorts } from '../ports.ts'
import { addGet } from '../routes/get.ts'
import { framed } from './frame.ts'
import { readQuery } from './query.ts'

/** The configuration in force, without its secrets. */
export function configPage(scope: FastifyInstance, ports: OwnerPorts): void {
  addGet(scope, '/config', async (request) => {
    readQuery(request, [])
    const settings = ports.configuration()
    const sections = [...new Set(settings.map(sectionOf))].map((section) => {
      const rows = settings
        .filter((setting) => sectionOf(setting) === section)
        .map(
          ({ path, value }) => [html`<code>${path}</code>`, html`<code>${value}</code>`] as const,
        )
      return html`<section class="card" aria-labelledby="of-${section}">
        <h2 id="of-${section}">${section}</h2>
        ${facts(rows)}
      </section>`
    })
    const main = html`<div class="stack">
      <div class="tight">
        <h1>Configuration</h1>
        <p class="lead">
          As it was loaded, defaults filled in. Of a secret it says where it comes from; no value of
          one is here.
        </p>
      </div>
      ${sections}
    </div>`
    return framed(request, 'Configuration', main)
  })
}
