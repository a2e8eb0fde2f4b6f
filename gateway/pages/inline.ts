import { createHash } from 'node:crypto'
import { pageHeaders } from './headers.ts'
import { html, type Markup } from './html.ts'
import { ICON } from './icon.ts'
import { STYLE } from './style/sheet.ts'

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** What a browser is told with a page that is whole in itself: it asks for nothing more, and sends its form to its own origin. */
export const INLINE_HEADERS = pageHeaders([`style-src 'sha256-${STYLE_HASH}'`, 'img-src data:'])

/** A page that is whole in itself: its address holds a token, which no other request may carry. It has no scripts. */
export function inlinePage({
  title,
  main,
}: {
  readonly title: string
  readonly main: Markup
}): string {
  const icon = `data:image/svg+xml;base64,${Buffer.from(ICON).toString('base64')}`
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Narrowgate</title>
        <link rel="icon" href="${icon}" type="image/svg+xml" />
        <style></style>
      </head>
      <body>
        <main id="main">${main}</main>
      </body>
    </html> `
  // The style is no text of a page: escaped it would be another one.
  return page.toString().replace('<style></style>', () => `<style>${STYLE}</style>`)
}
