import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { browsing, inaccessible, SIZES } from '../helpers/browser.ts'
import { flowIn } from '../helpers/gateway.ts'
import { askOwner } from '../helpers/owner.ts'
import { setUp, signIn, type Scene } from './_console.ts'
import { jsonOf, ROWS, SAMPLES, watched, type Sample, type WayText } from './_ways.ts'

// Some ten seconds.

const { setup, seen } = watched(ROWS)

/** The last one leaves the receipt that is looked at. */
const TOOLS: Readonly<Record<keyof typeof SIZES, readonly string[]>> = {
  desktop: ['TRACED', 'LARGE', 'EMPTY_TEXT', 'OPENED', 'HTTP_GET'],
  phone: ['MAKE', 'HTTP_GET'],
}

browsing('the form of a tool', async (t, browsers) => {
  await flowIn(t, setup, async (t, gateway) => {
    const scene = await setUp(gateway, browsers)
    for (const size of ['desktop', 'phone'] as const)
      await t.test(size, (t) => fill(t, scene, size))
    await t.test('what is refused', (t) => refused(t, scene))
  })
})

/** Where the way `console_app` leads. */
async function linkOf({ gateway }: Scene, tool: string, json: string): Promise<string> {
  const query = new URLSearchParams({ ways: 'console_app', args: json })
  const { body } = await askOwner(gateway, 'GET', `/api/contracts/${tool}?${query.toString()}`)
  return (body['ways'] as readonly [WayText])[0].text
}

async function fill(t: Test, scene: Scene, size: keyof typeof SIZES): Promise<void> {
  const {
    page,
    context,
    watched: window,
  } = await scene.browsers.open(scene.origin, {
    viewport: SIZES[size],
  })
  await signIn(page, scene)
  for (const tool of TOOLS[size]) {
    const sample = SAMPLES.find((one) => one.tool === tool)!
    const before = seen.length
    await page.goto(await linkOf(scene, tool, jsonOf(sample)))
    t.equal(seen.length, before, `${tool}: a link that is opened calls nothing`)
    await page.click('button:text-is("Call it")')
    await page.waitForSelector('#answer')
    t.match(await page.inputValue('#body'), 'pong', tool)
    t.equal(seen.length, before + 1)
    assertCall(t, sample)
  }
  await judge(t, page, 'with an answer')
  const receipt = (await scene.gateway.receipts()).at(-1)
  await page.click('text="Receipt"')
  await page.waitForURL(`${scene.origin}/console/ledger/${String(receipt?.['id'])}`)
  const { body } = await askOwner(scene.gateway, 'GET', `/api/grants/${String(receipt?.['grant'])}`)
  t.match(body['lines'], [
    'tools = HTTP_GET',
    'ways = rest',
    'uses <= 1',
    /^expires < /,
    'delegate = no',
  ])
  t.same(window.outside, [])
  t.same(window.faults, [])
  await context.close()
}

function assertCall(t: Test, { tool, args, json }: Sample): void {
  const call = seen.at(-1)
  if (tool === 'TRACED') t.equal(call?.trace, args['x-trace'])
  if (tool === 'EMPTY_TEXT') t.equal(call?.call, 'GET /texts?a=&b=..&c=0&d=true')
  if (tool === 'MAKE' || tool === 'LARGE')
    t.equal(call?.body, json ?? JSON.stringify(args), 'byte for byte')
}

async function refused(t: Test, scene: Scene): Promise<void> {
  const { page, context } = await scene.browsers.open(scene.origin, {})
  await signIn(page, scene)
  await page.goto(`${scene.origin}/console/tools/MAKE?args=%7B%7D`)
  const narrow = scene.gateway.mint('tools = MAKE', 'arg MAKE.title = x')
  await page.fill('[id="arg.title"]', 'y')
  await page.fill('#token', narrow)
  await page.click('button:text-is("Call it")')
  await page.waitForSelector('#answer .note.bad')
  t.match(await page.textContent('#answer'), /arg_refused[^]*arg MAKE.title = x/)
  t.notMatch(await page.content(), narrow, 'a token is not shown again')
  t.equal(await page.inputValue('[id="arg.title"]'), 'y', 'what was typed is still there')
  await judge(t, page, 'refused')
  const calls = seen.length
  await page.fill('[id="arg.count"]', 'three')
  await page.click('button:text-is("Call it")')
  await page.waitForSelector('text=Count: got no JSON')
  await page.goto(`${scene.origin}/console/tools/MAKE`)
  await page.evaluate(`document.querySelector('main [name="csrf"]').value = 'x'.repeat(43)`)
  await page.click('button:text-is("Call it")')
  await page.waitForSelector('text=form_refused')
  for (const path of ['NONE', 'MAKE?args=[]', 'MAKE?arg=1']) {
    const answer = await page.goto(`${scene.origin}/console/tools/${path}`)
    t.ok([400, 404].includes(answer?.status() ?? 0), path)
  }
  t.equal(seen.length, calls, 'nothing was called')
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
