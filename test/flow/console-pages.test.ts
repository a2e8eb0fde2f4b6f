import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { browsing, inaccessible, scriptsOf, SIZES } from '../helpers/browser.ts'
import { flowIn } from '../helpers/gateway.ts'
import { setUp, signIn, type Scene } from './_console.ts'

browsing('the pages of the console', async (t, browsers) => {
  await flowIn(t, {}, async (t, gateway) => {
    const scene = await setUp(gateway, browsers)
    for (const size of ['desktop', 'phone'] as const)
      await t.test(`every page, ${size}`, (t) => look(t, scene, size))
  })
})

/** Every page that the owner can open. */
function pagesOf({ grant, receipt }: Scene): readonly string[] {
  return [
    '/console',
    '/console/mint',
    '/console/grants',
    `/console/grants/${grant}`,
    `/console/grants/${grant}/leash`,
    `/console/grants/${grant}/revoke`,
    '/console/ledger',
    `/console/ledger/${receipt}`,
    '/console/health',
    '/console/config',
    '/console/nowhere',
  ]
}

/** Every page, in light and dark: accessible, within its window, its scripts small, canaries text. */
async function look(t: Test, scene: Scene, size: keyof typeof SIZES): Promise<void> {
  const { page, context, watched } = await scene.browsers.open(scene.origin, {
    viewport: SIZES[size],
  })
  const loaded = new Set<string>()
  await page.goto(`${scene.origin}/console/login`)
  await judge(t, page, 'sign in')
  await signIn(page, scene)
  for (const path of pagesOf(scene)) {
    await page.goto(scene.origin + path)
    await judge(t, page, path)
    const scripts = await scriptsOf(page)
    t.equal(scripts.length, 4, `${path}: scripts`)
    for (const script of scripts) loaded.add(script)
  }
  const sizes = [...loaded].map(
    async (script) => (await (await fetch(script)).arrayBuffer()).byteLength,
  )
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  t.ok(bytes > 1000 && bytes < 100_000, `${bytes} bytes of scripts`)
  await page.goto(`${scene.origin}/console/mint`)
  await page.click('button[value="add.arg"]')
  await page.click('.actions button[value="preview"]')
  await page.waitForSelector('.note.bad')
  await judge(t, page, 'faults')
  await page.click('button[value="remove.3"]')
  await page.click('.actions button[value="preview"]')
  await page.click('summary')
  await judge(t, page, 'preview')
  await page.click('button[value="mint"]')
  await page.waitForSelector('#token')
  await judge(t, page, 'minted')
  t.same(watched.outside, [])
  t.same(watched.faults, [])
  await page.evaluate(`document.body.append(Object.assign(document.createElement('img'),
    { src: 'https://outside.test/x' }))`)
  await page.waitForFunction('true')
  t.match(watched.faults.join(), 'violated: img-src', 'a violation would have been seen')
  await context.close()
}

async function judge(t: Test, page: Page, name: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  t.same(await inaccessible(page), [], `${name}, light`)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  t.same(await inaccessible(page, ['color-contrast']), [], `${name}, dark`)
  const wide = 'document.scrollingElement.scrollWidth - innerWidth'
  t.ok((await page.evaluate<number>(wide)) <= 0, `${name} fits its window`)
}
