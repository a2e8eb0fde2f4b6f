import t from 'tap'
import { ask, createConsoleRig, csrfOf, signIn } from './_console.ts'

const LINES = { '0.axis': 'tools', '0.op': '=', '0.value': 'HTTP_GET', do: 'preview' }

t.test('a form is taken with the word of its own session alone', async (t) => {
  const rig = await createConsoleRig()
  const { cookie } = rig
  const other = (await signIn(rig)).cookie ?? ''
  const theirs = csrfOf(await ask(rig, 'GET', '/console', { headers: { cookie: other } }))
  t.ok(theirs.length > 40, 'the other session has one')
  const send = (form: Readonly<Record<string, string>>) =>
    ask(rig, 'POST', '/console/mint', { headers: { cookie }, form: { ...LINES, ...form } })
  for (const form of [{}, { csrf: '' }, { csrf: 'x' }, { csrf: theirs }]) {
    const { status, text } = await send(form)
    t.equal(status, 403, JSON.stringify(form))
    t.match(text, 'form_refused')
  }
  t.equal((await rig.post('/console/mint', LINES)).status, 200)
})

t.test('no form is taken from the page of another site', async (t) => {
  const rig = await createConsoleRig()
  const from = (headers: Readonly<Record<string, string>>) =>
    rig.post('/console/mint', LINES, headers)
  for (const headers of [
    { origin: 'https://evil.test' },
    { origin: 'http://127.0.0.1:8080' },
    { origin: 'http://127.0.0.1:3129.evil.test' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'cross-site', origin: 'http://127.0.0.1:3129' },
  ]) {
    const { status, text } = await from(headers as Record<string, string>)
    t.equal(status, 403, JSON.stringify(headers))
    t.match(text, 'form_refused')
  }
  for (const headers of [
    { origin: 'http://127.0.0.1:3129' },
    { origin: 'https://127.0.0.1:3129' },
    { origin: 'null', 'sec-fetch-site': 'same-origin' },
    { origin: 'null' },
  ])
    t.equal((await from(headers as Record<string, string>)).status, 200, JSON.stringify(headers))
  const login = await signIn(rig, { headers: { 'sec-fetch-site': 'cross-site' } })
  t.match(login, { status: 403, cookie: undefined })
})

t.test('without a session a form is refused, and nothing is done', async (t) => {
  const rig = await createConsoleRig()
  const form = { ...LINES, do: 'mint' }
  const { status, text } = await ask(rig, 'POST', '/console/mint', { form })
  t.equal(status, 401)
  t.match(text, /nothing was done/)
  t.same(await rig.grants.list(), [])
})

t.test('a form is read to the letter', async (t) => {
  const rig = await createConsoleRig()
  t.match(await rig.post('/console/mint', { ...LINES, extra: '1' }), {
    status: 400,
    text: /unknown_field/,
  })
  t.match(await rig.post('/console/mint', { ...LINES, do: 'drop' }), { status: 400 })
  const twice = await rig.app.inject({
    method: 'POST',
    url: '/console/mint',
    headers: {
      host: '127.0.0.1:3129',
      cookie: rig.cookie,
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: 'do=preview&do=mint',
  })
  t.equal(twice.statusCode, 400)
  const json = await rig.app.inject({
    method: 'POST',
    url: '/console/mint',
    headers: { host: '127.0.0.1:3129', cookie: rig.cookie },
    payload: { ...LINES },
  })
  t.equal(json.statusCode, 400, 'no JSON is taken')
  for (const path of [
    '/console/grants?x=1',
    '/console/mint?q=1',
    '/console/health?a',
    '/console/login?b=1',
  ])
    t.match(await rig.get(path), { status: 400, text: /unknown_field/ }, path)
  t.equal((await ask(rig, 'PUT', '/console/mint', { headers: { cookie: rig.cookie } })).status, 405)
})

t.test(
  'every answer tells the browser to run nothing foreign and to name the page to nobody',
  async (t) => {
    const rig = await createConsoleRig()
    const paths = [
      '/console',
      '/console/mint',
      '/console/nowhere',
      '/console/login',
      '/console/assets/main.js',
    ]
    for (const path of paths) {
      const { headers } = await rig.get(path)
      const policy = String(headers['content-security-policy'])
      t.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; /, path)
      t.notMatch(policy, /unsafe|\*|https?:|data:/)
      t.match(policy, /frame-ancestors 'none'; base-uri 'none'/)
      t.equal(headers['referrer-policy'], 'no-referrer')
      t.equal(headers['x-content-type-options'], 'nosniff')
    }
    const page = await rig.get('/console/mint')
    t.equal(page.headers['cache-control'], 'no-store')
    t.notMatch(page.text, /<style|<script>|\son\w+=|style="/, 'nothing inline')
  },
)

t.test('a page that is refused before it comes to the console is told the same', async (t) => {
  const rig = await createConsoleRig()
  const { status, headers, text } = await rig.get('/console', { host: 'evil.test' })
  t.equal(status, 421)
  t.match(headers['content-type'], 'text/html')
  t.match(headers['content-security-policy'], /^default-src 'none'/)
  t.match(text, 'authority_mismatch')
})

t.test('shared files need no session, and are sent anew only where they changed', async (t) => {
  const rig = await createConsoleRig()
  const { status, headers, text } = await ask(rig, 'GET', '/console/assets/style.css')
  t.match(
    { status, type: headers['content-type'] },
    { status: 200, type: 'text/css; charset=utf-8' },
  )
  t.match(text, 'prefers-color-scheme: dark')
  const again = { headers: { 'if-none-match': String(headers['etag']) } }
  t.equal((await ask(rig, 'GET', '/console/assets/style.css', again)).status, 304)
  t.equal((await ask(rig, 'GET', '/console/assets/none.css')).status, 404)
})
