import type { Test } from 'tap'
import { unsafeReadToken } from '../../policy/index.ts'
import { browsing, inaccessible, SIZES, tabTo, type Browsers } from '../helpers/browser.ts'
import { eventually, flowIn, type Setup, type TestGateway } from '../helpers/gateway.ts'
import { HOST } from '../helpers/shapes.ts'
import { answerJson, bodyOf } from '../helpers/upstream.ts'

const text = { type: 'string' } as const

const SETUP: Setup = {
  rows: [
    {
      name: 'LIST',
      method: 'GET',
      path: '/lists/{owner}',
      args: {
        properties: {
          owner: { in: 'path', ...text, required: true },
          page: { in: 'query', type: 'integer' },
          label: { in: 'query', ...text },
        },
      },
    },
    {
      name: 'MAKE',
      method: 'POST',
      path: '/made',
      summary: 'Makes a <thing> & more.',
      args: {
        properties: {
          title: { in: 'body', ...text, required: true },
          n: { in: 'body', type: 'object' },
        },
      },
    },
  ],
  async serve(req, res) {
    const body = (await bodyOf(req)).toString()
    answerJson(res, { method: req.method, url: req.url, body })
  },
}

const CANARY = `"><img src=x onerror=alert(1)><script>alert(2)</script>'&lt;\${7*7}`

browsing('links', async (t, browsers) => {
  await flowIn(t, SETUP, async (t, gateway) => {
    await t.test('values in the order of the row', (t) => inOrder(t, gateway))
    await t.test('what changes something asks first', (t) => asks(t, gateway))
    await t.test('a person sees it, and has it done', (t) => seen(t, gateway, browsers))
  })
})

async function ask(gateway: TestGateway, path: string, init: RequestInit = {}) {
  const answer = await fetch(`http://127.0.0.1:${gateway.proxyPort}${path}`, init)
  const { status, headers } = answer
  return { status, headers, code: headers.get('refused'), text: await answer.text() }
}

async function inOrder(t: Test, gateway: TestGateway): Promise<void> {
  const own = `/g/${gateway.mint('tools = LIST,MAKE', 'ways = link')}/run`
  const url = async (rest: string, init?: RequestInit) => {
    const { status, text } = await ask(gateway, `${own}/${rest}`, init)
    return [status, (JSON.parse(text) as { url?: string }).url]
  }
  t.strictSame(await url('LIST/a%2Fb'), [200, '/lists/a%2Fb'])
  t.strictSame(await url('LIST/nodejs'), [200, '/lists/nodejs'])
  t.strictSame(await url('LIST/a%20b+%C3%BC/7'), [200, '/lists/a%20b%2B%C3%BC?page=7'])
  t.strictSame(await url('LIST/a%3Fb/7/x%26y'), [200, '/lists/a%3Fb?page=7&label=x%26y'])
  t.strictSame(await url('LIST/a?label=z&page=2'), [200, '/lists/a?label=z&page=2'])
  const made = await ask(gateway, `${own}/MAKE/ok/%7B%22a%22%3A1%7D`, { method: 'POST' })
  t.match(JSON.parse(made.text), { body: '{"title":"ok","n":{"a":1}}' })
  for (const [rest, path] of [
    ['LIST/a/7/x/y', 'path'],
    ['LIST/a?owner=b', 'args.owner'],
    ['LIST/a/x', 'args.page'],
    ['LIST/%ff', 'args.owner'],
    ['LIST/%', 'args.owner'],
    ['LIST/', 'args.owner'],
  ] as const) {
    const { status, code, text } = await ask(gateway, `${own}/${rest}`)
    t.strictSame([status, code], [400, 'malformed_request'], rest)
    t.match(JSON.parse(text), { reasons: [{ axis: path }] }, rest)
  }
  const { code } = await ask(gateway, `${own}/NONE/a`)
  t.equal(code, 'not_found')
}

const PAGE = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }

async function asks(t: Test, gateway: TestGateway): Promise<void> {
  const token = gateway.mint('tools = LIST,MAKE', 'ways = link', 'uses <= 1')
  const path = `/g/${token}/run/MAKE?title=${encodeURIComponent(CANARY)}`
  const page = await ask(gateway, path, PAGE)
  t.equal(page.status, 200)
  t.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  t.equal(page.headers.get('cache-control'), 'no-store')
  t.equal(page.headers.get('referrer-policy'), 'no-referrer')
  t.match(page.headers.get('content-security-policy'), /default-src 'none'.*form-action 'self'/)
  t.notMatch(page.headers.get('content-security-policy'), /unsafe|script-src/)
  t.match(page.text, '&lt;img src=x onerror=alert(1)&gt;')
  t.notMatch(page.text, /<img|<script/)
  t.notMatch(page.text, token, 'the page does not tell the token again')
  t.match(page.text, 'Makes a &lt;thing&gt; &amp; more.')
  t.match(page.text, HOST)
  for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }])
    t.strictSame((await ask(gateway, path, { headers })).code, 'method_not_allowed')
  t.equal((await ask(gateway, path, { ...PAGE, method: 'HEAD' })).code, 'method_not_allowed')
  const list = await ask(gateway, `/g/${gateway.mint('tools = LIST')}/run/LIST/a`, PAGE)
  t.match(JSON.parse(list.text), { url: '/lists/a' }, 'what changes nothing runs')
  const gone = gateway.mint('tools = MAKE')
  gateway.revoke(unsafeReadToken(gone).id)
  const code = async (token: string, query = 'title=a') =>
    (await ask(gateway, `/g/${token}/run/MAKE?${query}`, PAGE)).code
  t.ok(await eventually(async () => (await code(gone)) === 'revoked'))
  t.equal(await code(`${gone}A`), 'token_malformed')
  t.equal(await code(gateway.mint('tools = LIST')), 'tool_not_granted')
  t.equal(await code(gateway.mint('ways = rest')), 'way_not_granted')
  t.equal(await code(gateway.mint('expires < 2020-01-01T00:00:00Z')), 'expired')
  t.equal(await code(token, 'title=a&stray=1'), 'unknown_field')
  t.equal(await code(token, 'n=%7B%7D'), 'malformed_request', 'what could not be sent')
  const { id } = unsafeReadToken(token)
  const mine = (await gateway.receipts()).filter(({ grant }) => grant === id)
  t.strictSame(
    mine.filter(({ outcome }) => outcome !== 'refused'),
    [],
    'to look is no call',
  )
  t.equal((await ask(gateway, path, { ...PAGE, method: 'POST' })).status, 200, 'a use is left')
  t.equal((await ask(gateway, path, { method: 'POST' })).code, 'uses_spent')
}

async function seen(t: Test, gateway: TestGateway, browsers: Browsers): Promise<void> {
  const token = gateway.mint('tools = MAKE', 'ways = link')
  const origin = `http://127.0.0.1:${gateway.proxyPort}`
  const url = `${origin}/g/${token}/run/MAKE/${encodeURIComponent(CANARY)}?n=${encodeURIComponent('{"a":[1]}')}`
  for (const size of ['desktop', 'phone'] as const) {
    const { page, context, watched } = await browsers.open(origin, { viewport: SIZES[size] })
    await page.goto(url)
    t.strictSame(await page.textContent('h1'), 'Run MAKE?')
    t.match(await page.textContent('table'), CANARY)
    const look = async (colorScheme: 'light' | 'dark', rules?: readonly string[]) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      t.strictSame(await inaccessible(page, rules), [], `${size}, ${colorScheme}`)
    }
    await look('light')
    await look('dark', ['color-contrast'])
    t.not(
      await page.evaluate('getComputedStyle(document.querySelector(".first")).borderRadius'),
      '0px',
      'it has its style',
    )
    const wide = 'document.scrollingElement.scrollWidth - innerWidth'
    t.ok((await page.evaluate<number>(wide)) <= 0, 'it fits its window')
    const before = gateway.upstreams.arrived.length
    await tabTo(page, 'Run it')
    await Promise.all([
      page.waitForResponse((got) => got.request().method() === 'POST'),
      page.keyboard.press('Enter'),
    ])
    await page.waitForFunction('document.body.textContent.includes("/made")')
    t.match(await page.textContent('body'), '\\"a\\":[1]')
    t.equal(gateway.upstreams.arrived.length, before + 1, 'it ran once')
    t.strictSame(watched.outside, [])
    t.strictSame(watched.faults, [])
    await context.close()
  }
}
