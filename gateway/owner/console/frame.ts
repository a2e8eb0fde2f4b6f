import type { FastifyRequest } from 'fastify'
import { pageOf } from '../../pages/document.ts'
import { html, type Markup } from '../../pages/html.ts'
import { ASSETS, CONSOLE, pageAt } from './address.ts'
import { sessionOf } from './guard.ts'

const SECTIONS = [
  ['', 'Overview'],
  ['mint', 'Mint'],
  ['grants', 'Grants'],
  ['ledger', 'Ledger'],
  ['articles', 'Articles'],
  ['health', 'Health'],
  ['config', 'Config'],
] as const

/** A page of the console, with the way to all others. */
export function framed(request: FastifyRequest, title: string, main: Markup): string {
  return pageOf({ title, assets: ASSETS, banner: banner(request), main })
}

/** Stands in each form, and says that this browser was shown it. */
export function csrfField(request: FastifyRequest): Markup {
  return html`<input type="hidden" name="csrf" value="${sessionOf(request)?.csrf}" />`
}

function banner(request: FastifyRequest): Markup {
  const name = html`<a class="name" href="${CONSOLE}"
    ><img src="${ASSETS}/icon.svg" alt="" />Narrowgate</a
  >`
  const signedIn = sessionOf(request) !== undefined
  return html`<header class="bar">
    <div class="bar-in">${name}${signedIn ? navigation(request) : undefined}</div>
  </header>`
}

function navigation(request: FastifyRequest): Markup {
  const [, , section = ''] = request.url.split('?', 1)[0]?.split('/') ?? []
  const links = SECTIONS.map(([path, label]) => {
    const current = path === section ? html` aria-current="page"` : undefined
    return html`<li>
      <a href="${path === '' ? CONSOLE : pageAt([path])}" ${current}>${label}</a>
    </li>`
  })
  return html`<nav aria-label="Console">
      <ul>
        ${links}
      </ul>
    </nav>
    <form method="post" action="${pageAt(['logout'])}">
      ${csrfField(request)}<button class="light">Sign out</button>
    </form>`
}
