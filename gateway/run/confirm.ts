import { isSafe, writtenJson } from '../../catalog/index.ts'
import type { DoorAround } from '../holder-door.ts'
import type { Knock, Reply } from '../knock.ts'
import { html, type Markup } from '../pages/html.ts'
import { INLINE_HEADERS, inlinePage } from '../pages/inline.ts'
import { facts, tableOf } from '../pages/parts.ts'
import { checkRow } from '../standing.ts'
import { getHeader } from '../wire/headers.ts'
import { doorPath } from './address.ts'
import type { NamedCall } from './call.ts'
import { knockOfCall } from './knock.ts'

/** Whether a person opened the link of something that is not to happen just so. */
export function asksForPage({ method, path, headers }: Knock, { tool }: NamedCall): boolean {
  if (method !== 'GET' || doorPath(path).rest === undefined || isSafe(tool)) return false
  return /(?:^|[\s,])text\/html(?:[\s,;]|$)/i.test(getHeader(headers, 'accept') ?? '')
}

/**
 * The page on which a person sees what a link would do, and has it done. To look at it is no call, and no use.
 * @throws Refusal for a link that would be refused whoever follows it
 */
export async function confirmPage(
  knock: Knock,
  call: NamedCall,
  around: DoorAround,
): Promise<Reply> {
  checkRow(await around.standing(knock), call.tool, knock.door)
  const { method, origin, path } = knockOfCall(knock, call, around)
  const title = `Run ${call.tool.name}?`
  const main = html`<h1>${title}</h1>
    <p>${call.tool.summary}</p>
    ${facts([
      ['Host', html`<code>${origin.host}</code>`],
      ['Request', html`<code>${method} ${path}</code>`],
    ])}
    ${argumentsOf(call)}
    <p>Nothing has been called yet. What you run here is done once, and recorded.</p>
    <form method="post">
      <div class="actions"><button class="first" type="submit">Run it</button></div>
    </form>`
  return {
    status: 200,
    headers: ['content-type', 'text/html; charset=utf-8', ...Object.entries(INLINE_HEADERS).flat()],
    body: Buffer.from(inlinePage({ title, main })),
  }
}

type Row = readonly [name: string, value: unknown]

function argumentsOf({ envelope: { args = {} } }: NamedCall): Markup {
  const table = tableOf<Row>(
    'Arguments',
    [
      { name: 'Argument', cell: ([name]) => html`<code>${name}</code>` },
      { name: 'Value', cell: ([, value]) => html`<code>${textOf(value)}</code>` },
    ],
    Object.entries(args),
  )
  return table ?? html`<p>It has no arguments.</p>`
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : writtenJson(value)
}
