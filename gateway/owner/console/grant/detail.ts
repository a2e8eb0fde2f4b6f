import { html, type Markup } from '../../../pages/html.ts'
import { badge, facts, saidLines, tiles, timeOf } from '../../../pages/parts.ts'
import { wordsOf } from '../../../line-words.ts'
import type { Found, grantDetail } from '../../grant-view.ts'
import type { OwnerPorts } from '../../ports.ts'
import { pageAt } from '../address.ts'
import { endOf, stateBadge, stateOf } from '../grant-state.ts'
import { receiptTable } from '../ledger/table.ts'
import { narrowingsOf, type Narrowing } from './narrowings.ts'

type Detail = Awaited<ReturnType<typeof grantDetail>>

interface Shown {
  readonly grant: Found
  readonly detail: Detail
}

/** All that is known of a grant. */
export function detailPage({ grant, detail }: Shown, ports: OwnerPorts): Markup {
  const { id } = grant
  const state = stateOf(grant, ports.clock.now())
  const revoke =
    grant.revoked === undefined
      ? html`<a class="button grave" href="${pageAt(['grants', id, 'revoke'])}">Revoke</a>`
      : undefined
  return html`<div class="stack">
    <div class="head">
      <h1>Grant <code>${id}</code> ${stateBadge(state)}</h1>
      <p class="actions">
        <a class="button" href="${pageAt(['grants', id, 'leash'])}">Put lines on it</a>${revoke}
      </p>
    </div>
    ${about(grant)}
    <section class="card" aria-labelledby="lines-head">
      <h2 id="lines-head">What it allows</h2>
      ${saidLines(detail.chain.map(({ line, says, link }) => ({ line, says, more: usesAt(link ?? '', detail) })))}
    </section>
    ${leashSection(detail)}
    <section class="card" aria-labelledby="children-head">
      <h2 id="children-head">Narrowed from it</h2>
      ${children(grant, ports)}
    </section>
    ${receipts(id, detail)}
  </div>`
}

function about({ minted, by, task, lines, leash, revoked }: Found): Markup {
  const end = endOf([...lines, ...leash])
  const rows: (readonly [string, Markup | string])[] = [
    ['Minted', html`${timeOf(minted)} by ${by}`],
    ['Ends', end === undefined ? 'by no line' : timeOf(new Date(end).toISOString())],
    [
      'Task',
      task === undefined ? 'none' : html`<a href="${pageAt(['ledger'], { task })}">${task}</a>`,
    ],
  ]
  if (revoked !== undefined) rows.push(['Revoked', timeOf(revoked)])
  return html`<section class="card" aria-label="About">${facts(rows)}</section>`
}

/** How much of a `uses` line is spent, where the link counts one. */
function usesAt(link: string, { uses }: Detail): Markup | undefined {
  const counter = uses.find((each) => each.link === link)
  return counter === undefined ? undefined : usesMeter(counter)
}

function usesMeter({ used, limit }: { readonly used: number; readonly limit: number }): Markup {
  const spent = used >= limit
  return html`<span>${badge(spent ? 'bad' : 'plain', `${used} of ${limit} used`)}</span>`
}

function leashSection(detail: Detail): Markup | undefined {
  if (detail.leash.length === 0) return undefined
  const counters = detail.uses.filter(({ leash }) => leash)
  const lines = detail.leash.map(({ line, says }) => {
    const counter = line.startsWith('uses ') ? counters.shift() : undefined
    return { line, says, more: counter === undefined ? undefined : usesMeter(counter) }
  })
  return html`<section class="card" aria-labelledby="leash-head">
    <h2 id="leash-head">Put on it since</h2>
    ${saidLines(lines)}
  </section>`
}

function children(grant: Found, ports: OwnerPorts): Markup {
  if (grant.children.length === 0)
    return html`<p class="soft">
      No narrower token has made a call yet. Narrowing needs no server: a token shows here once it
      was used.
    </p>`
  const items = narrowingsOf(grant.children, grant.lines.length).map((each) =>
    narrowingItem(each, grant, ports),
  )
  return html`<ul class="tree">
    ${items}
  </ul>`
}

function narrowingItem(narrowing: Narrowing, grant: Found, ports: OwnerPorts): Markup {
  const { link, links, lines, seen, below } = narrowing
  const ended = ports.grants.revoked(grant.id, links) !== undefined
  const act = ended
    ? badge('bad', 'revoked')
    : html`<a href="${pageAt(['grants', grant.id, 'revoke'], { link })}">Revoke from here</a>`
  const nested = below.map((each) => narrowingItem(each, grant, ports))
  return html`<li>
    <div class="tight">
      ${saidLines(lines.map((line) => ({ line, says: wordsOf(line) })))}
      <p class="soft"><code>${link}</code>, seen ${timeOf(seen)} · ${act}</p>
    </div>
    ${
      nested.length === 0
        ? undefined
        : html`<ul>
            ${nested}
          </ul>`
    }
  </li>`
}

function receipts(id: string, { receipts: { counts, latest } }: Detail): Markup {
  const figures = Object.entries(counts).map(([name, value]) => ({ name, value }))
  const all = html`<p><a href="${pageAt(['ledger'], { grant: id })}">All of its receipts</a></p>`
  return html`<section class="tight" aria-labelledby="receipts-head">
    <h2 id="receipts-head">What it did</h2>
    ${latest.length === 0 ? html`<p class="card nothing">No call yet.</p>` : html`${tiles(figures)}${receiptTable(latest)}${all}`}
  </section>`
}
