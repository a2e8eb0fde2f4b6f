import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import {
  chromium,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core'
import { default as t } from 'tap'
import type { Test } from 'tap'

/** Sizes on which pages have to be a pleasure. */
export const SIZES = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
} as const

const AXE = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

/** What goes wrong in a browser without a page saying so. */
export interface Watched {
  /** Addresses that a page asked for and that are not of this origin. */
  readonly outside: string[]
  /** Violations of the content security policy, errors of scripts, dialogs. */
  readonly faults: string[]
}

export interface Opened {
  readonly page: Page
  readonly context: BrowserContext
  readonly watched: Watched
}

export interface Browsers {
  /** Opens a window of its own, without cookies, for pages of this origin. */
  open(origin: string, options?: BrowserContextOptions): Promise<Opened>
}

/** Debian's Chromium, where it is installed. */
function chromiumPath(): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => ['chromium', 'chromium-browser'].map((name) => join(folder, name)))
    .find((path) => existsSync(path))
}

/** A test with a browser that lives as long as the test. A missing one is a visible skip at home and a failure in CI. */
export function browsing(name: string, body: (t: Test, browsers: Browsers) => Promise<void>): void {
  const executablePath = chromiumPath()
  if (executablePath === undefined) {
    const skip = 'there is no chromium'
    if (process.env['CI'] === 'true') t.fail(`${name} cannot run in CI: ${skip}`)
    else void t.test(name, { skip }, () => {})
    return
  }
  void t.test(name, async (t) => {
    const browser = await chromium.launch({
      executablePath,
      // Its own sandbox needs rights that containers do not give.
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    })
    t.teardown(() => browser.close())
    const open: Browsers['open'] = async (origin, options) => {
      const context = await browser.newContext(options)
      const page = await context.newPage()
      page.setDefaultTimeout(20_000)
      return { page, context, watched: await watch(page, origin) }
    }
    await body(t, { open })
  })
}

async function watch(page: Page, origin: string): Promise<Watched> {
  const outside: string[] = []
  const faults: string[] = []
  await page.addInitScript({
    content: `addEventListener('securitypolicyviolation', (event) =>
      console.error('violated: ' + event.effectiveDirective + ' by ' + event.blockedURI))`,
  })
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) outside.push(request.url())
  })
  page.on('console', (message) => {
    // A page that is refused is no fault of the page.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('dialog', (dialog) => {
    faults.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  return { outside, faults }
}

/** What axe-core finds wrong with the page as it stands, one line each; by these rules alone, where some are named. */
export async function inaccessible(
  page: Page,
  rules: readonly string[] = [],
): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(AXE)
  const options = {
    resultTypes: ['violations'],
    ...(rules.length === 0 ? {} : { runOnly: { type: 'rule', values: rules } }),
  }
  return page.evaluate<string[]>(`axe.run(document, ${JSON.stringify(options)}).then((found) =>
    found.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => id + ' ' + target + ' ' + failureSummary)))`)
}

/** Addresses of the scripts that the page has loaded. */
export async function scriptsOf(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(`performance.getEntriesByType('resource')
    .map(({ name }) => name).filter((name) => name.endsWith('.js'))`)
}

/** Goes on by the Tab key until something with this name has the focus: its label, its text or its name. */
export async function tabTo(page: Page, wanted: string | RegExp): Promise<void> {
  const fits = (name: string) => (typeof wanted === 'string' ? name === wanted : wanted.test(name))
  const passed: string[] = []
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press('Tab')
    const name = await page.evaluate<string>(FOCUSED)
    if (fits(name)) return
    passed.push(name)
  }
  throw new Error(`the Tab key never came to ${wanted}, but to: ${passed.join(' | ')}`)
}

const FOCUSED = `(() => {
  const { activeElement: element } = document
  const label = element.labels?.[0]?.textContent ?? element.getAttribute('aria-label')
  return (label ?? element.textContent ?? '').trim().replace(/\\s+/g, ' ')
})()`
