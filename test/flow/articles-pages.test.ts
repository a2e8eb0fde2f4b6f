import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { browsing, inaccessible, SIZES, tabTo, type Watched } from '../helpers/browser.ts'
import { flowIn, type TestGateway } from '../helpers/gateway.ts'
import { askOwner } from '../helpers/owner.ts'
import { setUp, signIn, type Scene } from './_console.ts'

const CANARY = '<img src=x onerror=alert(1)>'
const BAD_LINK = '[run](javascript:alert(1)) [out](//evil.test/x) [data](data:text/html,x)'
const HASH = 'c'.repeat(64)

/** An article with a canary in each of its texts, and each kind of block. */
const ARTICLE = {
  slug: 'canary',
  title: `Title ${CANARY}`,
  kind: 'note',
  status: 'published',
  summary: `Summary ${CANARY}`,
  tags: ['a', 'b'],
  above: ['plain'],
  below: ['missing'],
  adjacent: ['plain'],
  nested: ['plain'],
  facts: { text: CANARY, deep: { number: 5, text: CANARY }, none: null },
  blocks: [
    { type: 'heading', level: 3, text: `Heading ${CANARY}` },
    { type: 'text', text: `**bold ${CANARY}** \`code ${CANARY}\` ${BAD_LINK}\n\n[good](/a/plain)` },
    { type: 'heading', level: 3, text: 'Below' },
    { type: 'list', items: [CANARY, { text: CANARY, items: [CANARY] }] },
    { type: 'list', ordered: true, items: [CANARY] },
    {
      type: 'table',
      caption: CANARY,
      columns: [CANARY, 'b'],
      rows: [
        [CANARY, ''],
        ['', 'x'],
      ],
    },
    { type: 'table', caption: CANARY, columns: ['long'], rows: [['x'.repeat(400)]] },
    { type: 'code', text: `${CANARY}\n${'x'.repeat(400)}` },
    { type: 'code', language: 'html', text: CANARY },
    { type: 'quote', source: 0 },
    { type: 'facts', names: ['text', 'deep', 'deep.number', 'none'] },
    { type: 'ledger', title: CANARY, task: 'T-1' },
    { type: 'ledger', query: { view: 'exchanges' } },
    {
      type: 'ledger',
      query: { view: 'exchanges', want: { aggregate: { p50: ['ms'], by: ['url'] } } },
    },
    { type: 'ledger', plot: { view: 'exchanges', by: 'url', figure: 'count' } },
    { type: 'ledger', task: 'T-none' },
    { type: 'card', slug: 'plain' },
    { type: 'card', slug: 'missing' },
  ],
  sources: [
    { title: CANARY, quote: `${CANARY}\n\n${CANARY}`, sha256: HASH, object: `default/${CANARY}` },
    { sha256: HASH, receipt: 'r-1', part: 'response' },
  ],
}

const PLAIN = { slug: 'plain', title: `Plain ${CANARY}`, summary: CANARY, status: 'published' }

browsing('the pages of articles', async (t, browsers) => {
  await flowIn(t, {}, async (t, gateway) => {
    const scene = await setUp(gateway, browsers)
    for (const article of [PLAIN, ARTICLE]) {
      const { status, body } = await askOwner(gateway, 'POST', '/api/jarticles', article)
      t.equal(status, 201, JSON.stringify(body['reasons']))
    }
    const { status } = await askOwner(gateway, 'POST', '/api/jarticles', { from: { task: 'T-1' } })
    t.equal(status, 201)
    await asOwner(t, scene)
    await asHolder(t, scene, gateway)
  })
})

const LOOKED_AT = { desktop: ['', '/canary', '/missing'], phone: ['/canary', '/task-t-1'] }

async function asOwner(t: Test, scene: Scene): Promise<void> {
  for (const size of ['desktop', 'phone'] as const) {
    const { page, context, watched } = await scene.browsers.open(scene.origin, {
      viewport: SIZES[size],
    })
    await signIn(page, scene)
    for (const path of LOOKED_AT[size]) {
      await page.goto(`${scene.origin}/console/articles${path}`)
      await judge(t, page, `${size} ${path}`)
    }
    await page.goto(`${scene.origin}/console/articles/canary`)
    await showsCanaries(t, page)
    await tabTo(page, PLAIN.title)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${scene.origin}/console/articles/plain`)
    clean(t, watched)
    await context.close()
  }
}

/** Without a script, as a holder's pages are. */
async function asHolder(t: Test, scene: Scene, gateway: TestGateway): Promise<void> {
  const origin = `http://127.0.0.1:${gateway.proxyPort}`
  const token = gateway.mint('ways = proof', 'task = T-1')
  const { page, context, watched } = await scene.browsers.open(origin, { viewport: SIZES.phone })
  await page.goto(`${origin}/g/${token}/a/canary`)
  await judge(t, page, 'holder')
  await showsCanaries(t, page)
  t.equal(await page.evaluate<number>('document.scripts.length'), 0)
  const asked = await page.evaluate<number>('performance.getEntriesByType("resource").length')
  t.equal(asked, 0, 'its address, which holds the token, stands in no other request')
  await page.click('.cards a')
  await page.waitForURL(`${origin}/g/${token}/a/plain`)
  await page.goto(`${origin}/g/${token}/a/canary.md`)
  t.match(await page.evaluate('document.contentType'), 'text/')
  clean(t, watched)
  await context.close()
}

async function showsCanaries(t: Test, page: Page): Promise<void> {
  const text = await page.evaluate<string>('document.body.textContent')
  const count = text.split(CANARY).length - 1
  t.ok(count > 25, `${count} canaries are text`)
  const live = 'document.querySelectorAll("main img, main script, main iframe").length'
  t.equal(await page.evaluate<number>(live), 0)
  const links = await page.evaluate<string[]>(
    '[...document.querySelectorAll("main a")].map(({ protocol, host }) => protocol + host)',
  )
  t.strictSame([...new Set(links)], [new URL(page.url()).origin.replace('//', '')], 'links')
  t.match(text, BAD_LINK.slice(0, 20), 'what is no address that may be followed stays text')
}

function clean(t: Test, { outside, faults }: Watched): void {
  t.same(outside, [])
  t.same(faults, [])
}

async function judge(t: Test, page: Page, name: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  t.same(await inaccessible(page), [], `${name}, light`)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  t.same(await inaccessible(page, ['color-contrast']), [], `${name}, dark`)
  const wide = 'document.scrollingElement.scrollWidth - innerWidth'
  t.ok((await page.evaluate<number>(wide)) <= 0, `${name} fits its window`)
}
