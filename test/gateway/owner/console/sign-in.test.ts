import t from 'tap'
import { createRig, KEY, WITH_KEY } from '../_owner.ts'
import { ask, createConsoleRig, signIn } from './_console.ts'

const PAGES = [
  '/console',
  '/console/mint',
  '/console/grants',
  '/console/ledger',
  '/console/nowhere',
]

t.test('nothing is shown without a session, and the way back is remembered', async (t) => {
  const rig = createRig()
  for (const page of PAGES) {
    const { status, headers } = await ask(rig, 'GET', page)
    t.equal(status, 303, page)
    const next = page === '/console' ? '' : `?next=${encodeURIComponent(page)}`
    t.equal(headers['location'], `/console/login${next}`)
  }
  const { headers } = await ask(rig, 'GET', '/console/ledger?outcome=refused&tool=A')
  const next = new URL(String(headers['location']), 'http://a').searchParams.get('next')
  t.equal((await signIn(rig, { next: next ?? '' })).headers['location'], next)
})

t.test(
  'the owner key opens a session, whose cookie scripts and other sites never see',
  async (t) => {
    const rig = createRig()
    const { status, headers, cookie = '' } = await signIn(rig)
    t.match({ status, location: headers['location'] }, { status: 303, location: '/console' })
    const set = String(headers['set-cookie'])
    t.match(
      set,
      /^narrowgate_console=[\w-]{32}\.[\w-]{43}; Path=\/console; HttpOnly; SameSite=Strict$/,
    )
    t.equal((await ask(rig, 'GET', '/console', { headers: { cookie } })).status, 200)
    const secure = await signIn(rig, { headers: { 'x-forwarded-proto': 'https' } })
    t.match(secure.headers['set-cookie'], /; Secure$/)
  },
)

t.test('another key is refused, and failures count with those of the header', async (t) => {
  const rig = createRig()
  const wrong = (key: string) => ask(rig, 'POST', '/console/login', { form: { key } })
  for (const key of ['', 'wrong', KEY.slice(1), `${KEY}x`]) {
    const { status, cookie, text } = await wrong(key)
    t.equal(status, 401)
    t.equal(cookie, undefined)
    t.match(text, 'That is not this gateway’s owner key.')
    t.notOk(text.includes(KEY))
  }
  for (let count = 0; count < 6; count += 1)
    await rig.app.inject({
      url: '/api/status',
      headers: { host: 'localhost', 'x-narrowgate-key': 'x' },
    })
  const limited = await wrong('wrong')
  t.equal(limited.status, 429)
  t.match(limited.headers['retry-after'], /^\d+$/)
  t.equal((await signIn(rig)).status, 303, 'the right key is still let in')
})

t.test('a session that somebody else knows is not taken over at sign-in', async (t) => {
  const rig = createRig()
  const planted = (await signIn(rig)).cookie ?? ''
  const { cookie = '' } = await signIn(rig, { headers: { cookie: planted } })
  t.not(cookie, planted)
  t.equal((await ask(rig, 'GET', '/console', { headers: { cookie: planted } })).status, 303)
  t.equal((await ask(rig, 'GET', '/console', { headers: { cookie } })).status, 200)
  const made = 'narrowgate_console=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA.' + 'A'.repeat(43)
  const after = await signIn(rig, { headers: { cookie: made } })
  t.not(after.cookie, made)
  t.equal((await ask(rig, 'GET', '/console', { headers: { cookie: made } })).status, 303)
})

t.test(
  'a session ends: signed out, unused for an hour, after twelve, with the process',
  async (t) => {
    const rig = await createConsoleRig()
    const { time } = rig
    const out = await rig.post('/console/logout', {})
    t.match(out.headers['set-cookie'], /^narrowgate_console=; .*Max-Age=0$/)
    t.equal((await rig.get('/console')).status, 303, 'for good, whatever the browser keeps')

    const { cookie = '' } = await signIn(rig)
    const state = async () => (await ask(rig, 'GET', '/console', { headers: { cookie } })).status
    time.now += 3_599_000
    t.equal(await state(), 200)
    time.now += 3_599_000
    t.equal(await state(), 200, 'in use')
    time.now += 3_600_000
    t.equal(await state(), 303, 'unused')

    const busy = (await signIn(rig)).cookie ?? ''
    const seen: number[] = []
    for (let hour = 0; hour < 24; hour += 1) {
      time.now += 1_800_000
      seen.push((await ask(rig, 'GET', '/console', { headers: { cookie: busy } })).status)
    }
    t.same(seen, [...Array<number>(23).fill(200), 303])

    const other = createRig()
    const mine = (await signIn(rig)).cookie ?? ''
    t.equal((await ask(other, 'GET', '/console', { headers: { cookie: mine } })).status, 303)
  },
)

t.test('a cookie that was changed, or stands twice, is none', async (t) => {
  const rig = await createConsoleRig()
  const { cookie } = rig
  const changed = cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  for (const sent of [
    changed,
    `${cookie}x`,
    `${cookie}; ${cookie}`,
    `narrowgate_console=x; ${cookie}`,
  ])
    t.equal((await rig.get('/console', { cookie: sent })).status, 303, sent.slice(19, 60))
  t.equal((await rig.get('/console', { cookie: `a=1; ${cookie}; b=2` })).status, 200)
})

t.test('after sign-in the way goes to the console and nowhere else', async (t) => {
  const rig = createRig()
  const strange = [
    'https://evil.test/',
    '//evil.test',
    '/\\evil.test',
    '/console/..//evil.test',
    '/console/%2e%2e//evil.test',
    '/console/../api/status',
    '/console\\@evil.test',
    '/consoles',
    '/api/status',
    'javascript:alert(1)',
    '/console/\nx',
    ' /console',
  ]
  for (const next of strange) {
    const shown = await ask(rig, 'GET', `/console/login?next=${encodeURIComponent(next)}`)
    t.equal(shown.status, 400, next)
    const { status, headers, cookie } = await signIn(rig, { next })
    t.match({ status, cookie }, { status: 400, cookie: undefined }, next)
    t.equal(headers['location'], undefined)
  }
  for (const next of ['/console', '/console/', '/console/grants/a%2Fb', '/console?a=b'])
    t.equal((await signIn(rig, { next })).headers['location'], next)
})

t.test('the cookie is worth nothing at the other doors', async (t) => {
  const rig = await createConsoleRig()
  const asked = [
    ['GET', '/api/status'],
    ['GET', '/api/grants'],
    ['POST', '/api/grants'],
    ['GET', '/ledger/exchanges/r1.json'],
    ['GET', '/nowhere'],
  ] as const
  for (const [method, path] of asked) {
    const { status, text } = await ask(rig, method, path, { headers: { cookie: rig.cookie } })
    t.equal(status, 401, `${method} ${path}`)
    t.match(text, 'owner_key_missing')
  }
  const keyed = await ask(rig, 'GET', '/console', { headers: WITH_KEY })
  t.equal(keyed.status, 303, 'nor is the key at the console’s')
})
