import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { browsing, SIZES, tabTo } from '../helpers/browser.ts'
import { flowIn } from '../helpers/gateway.ts'
import { setUp, signIn, type Scene } from './_console.ts'

browsing('the console at work', async (t, browsers) => {
  await flowIn(t, {}, async (t, gateway) => {
    const scene = await setUp(gateway, browsers)
    for (const size of ['desktop', 'phone'] as const)
      await t.test(`by keyboard, ${size}`, (t) => story(t, scene, size))
    await t.test('without scripts', (t) => plain(t, scene))
    await t.test('other origins', (t) => foreign(t, scene))
  })
})

/** A new owner: sign in, mint, hand over, watch, revoke; all of it by the keyboard. */
async function story(t: Test, scene: Scene, size: keyof typeof SIZES): Promise<void> {
  const { gateway, origin } = scene
  const { page, context, watched } = await scene.browsers.open(origin, {
    viewport: SIZES[size],
    timezoneId: 'Asia/Tokyo',
    locale: 'en-GB',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const enter = () => page.keyboard.press('Enter')
  await signIn(page, scene)
  await tabTo(page, 'Mint')
  await enter()
  await page.waitForURL(`${origin}/console/mint`)
  await tabTo(page, 'Value')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('HTTP_GET')
  await tabTo(page, '+ arg')
  await enter()
  await page.keyboard.type('HTTP_GET')
  await tabTo(page, 'Argument')
  await page.keyboard.type('host')
  await tabTo(page, 'Value')
  await page.keyboard.type('nobody.test')
  await enter()
  await page.waitForSelector('#preview')
  t.match(await page.textContent('#preview'), /HTTP_GET only where host is\s+nobody\.test/)
  await page.keyboard.press('Shift+Tab')
  await page.fill('[id="3-value"]', 'api.test')
  await tabTo(page, 'Mint this token')
  await enter()
  await page.waitForSelector('text=The lines have changed since the preview')
  await tabTo(page, 'Mint this token')
  await enter()
  await page.waitForSelector('h1:text-is("Minted")')

  const token = await page.inputValue('#token')
  await tabTo(page, 'Copy: Token')
  await enter()
  await page.waitForSelector('button:text-is("Copied")')
  t.equal(await page.evaluate<string>('navigator.clipboard.readText()'), token)
  t.notMatch(page.url(), 'g1.', 'no address holds it')
  t.equal((await gateway.ask('absolute', { token })).status, 200, 'the token works')
  t.equal((await gateway.ask('absolute', { token, method: 'POST' })).status, 403)

  await tabTo(page, /^Grant g_/)
  await enter()
  await page.waitForSelector('text=1 of 100 used')
  const time = page.locator('section time').first()
  const minted = new Date((await time.getAttribute('datetime')) ?? '')
  const tokyo = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'Asia/Tokyo' })
  t.match(await time.textContent(), tokyo.format(minted), 'in the reader’s zone')
  t.notMatch(await page.content(), token, 'it is shown nowhere else')
  await tabTo(page, 'Revoke')
  await enter()
  await page.waitForSelector('text=Revoke this grant?')
  t.equal((await gateway.ask('absolute', { token })).status, 200, 'asking does nothing')
  await tabTo(page, 'Revoke')
  const revoked = page.waitForResponse((response) => response.request().method() === 'POST')
  await enter()
  t.equal((await revoked).status(), 303)
  const since = Date.now()
  const after = await gateway.ask('absolute', { token })
  t.match([after.status, after.header('refused')], [403, 'revoked'])
  t.ok(Date.now() - since < 1000, `refused within a second: ${Date.now() - since} ms`)
  await page.waitForSelector('h1 >> text=revoked')

  await tabTo(page, 'Sign out')
  await enter()
  await page.waitForURL(`${origin}/console/login`)
  await page.goBack()
  t.equal(await page.locator('h1').textContent(), 'Sign in', 'nothing is kept for the back key')
  t.same(watched.outside, [])
  t.same(watched.faults, [])
  await context.close()
}

/** The same form for those whose browser runs no script. */
async function plain(t: Test, scene: Scene): Promise<void> {
  const { page, context } = await scene.browsers.open(scene.origin, { javaScriptEnabled: false })
  await page.goto(`${scene.origin}/console/mint`)
  await page.fill('#key', scene.key)
  await page.press('#key', 'Enter')
  await page.waitForURL(`${scene.origin}/console/mint`)
  await page.click('button[value="add.keys"]')
  await page.fill('[id="0-value"]', 'alice')
  await page.click('button[value="remove.3"]')
  await page.press('[id="0-value"]', 'Enter')
  await page.click('button[value="mint"]')
  await page.waitForSelector('#token')
  t.match(await page.inputValue('#token'), /^g1\./)
  const words = (await page.locator('.says').allTextContents()).map((text) => text.trim())
  t.equal(words.length, 3)
  t.match(words[0], 'alice')
  await context.close()
}

/** A page of another port shares the site, and so its requests bear the cookie. */
async function foreign(t: Test, scene: Scene): Promise<void> {
  const { page, context } = await scene.browsers.open(scene.origin)
  await signIn(page, scene)
  const target = `${scene.origin}/console/grants/${scene.grant}/revoke`
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<form method="post" action="${target}"><button>go</button></form>`)
  }).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const [answer] = await Promise.all([page.waitForResponse(target), page.click('button')])
  t.equal(answer.status(), 403)
  t.match(await answer.request().headerValue('cookie'), 'narrowgate_console=', 'it was sent along')
  t.match(await page.textContent('main'), 'form_refused')
  await page.goto(`${scene.origin}/console/grants/${scene.grant}`)
  t.match(await page.textContent('h1'), 'live')
  await context.close()
}
