import { html, type Markup } from './html.ts'

/** What a whole page is made of. */
export interface PageParts {
  /** Of the page itself; the program's name is put behind it. */
  readonly title: string
  /** Where the shared files are served, without a trailing slash. */
  readonly assets: string
  /** What stands above the page on every page of its kind: links, and the like. */
  readonly banner: Markup
  readonly main: Markup
}

/** A whole page. */
export function pageOf({ title, assets, banner, main }: PageParts): string {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Narrowgate</title>
        <link rel="icon" href="${assets}/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="${assets}/style.css" />
        <script type="module" src="${assets}/main.js"></script>
      </head>
      <body>
        <a class="skip" href="#main">Skip to the page</a>
        ${banner}
        <main id="main" tabindex="-1">${main}</main>
      </body>
    </html> `
  return page.toString()
}
