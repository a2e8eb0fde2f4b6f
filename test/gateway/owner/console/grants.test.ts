import t from 'tap'
import { narrowingsOf, type Narrowing } from '../../../../gateway/owner/console/grant/narrowings.ts'
import { verifyToken, narrowToken, mintToken } from '../../../../policy/index.ts'
import { BUILD_KEY } from '../_owner.ts'
import { createConsoleRig, type ConsoleRig, type Got } from './_console.ts'

const MINTED = '2026-01-01T00:00:00.000Z'

async function record(rig: ConsoleRig, id: string, ...lines: readonly string[]): Promise<void> {
  const task = lines.find((line) => line.startsWith('task = '))?.slice(7)
  const more = task === undefined ? {} : { task }
  await rig.grants.recordMinted({ id, lines, minted: MINTED, by: 'owner', ...more })
}

function idsIn({ text }: Got): readonly string[] {
  return [...text.matchAll(/href="\/console\/grants\/([^"/?]+)"/g)].map(([, id = '']) => id)
}

t.test('grants stand a page at a time, the newest first, and can be searched', async (t) => {
  const rig = await createConsoleRig()
  t.match((await rig.get('/console/grants')).text, 'No grant has been minted yet.')
  for (let at = 0; at < 120; at += 1)
    await record(rig, `g_${at}`, `tools = TOOL_${at % 7}`, ...(at === 5 ? ['task = T-9/1'] : []))
  const pages = [1, 2, 3].map((page) => rig.get(`/console/grants?page=${page}`))
  const ids = (await Promise.all(pages)).map(idsIn)
  t.same(
    ids.map(({ length }) => length),
    [50, 50, 20],
  )
  t.same(
    ids.flat(),
    (await rig.grants.list()).map(({ id }) => id),
  )
  t.same(idsIn(await rig.get('/console/grants?q=t-9')), ['g_5'], 'by task')
  t.same(idsIn(await rig.get('/console/grants?q=g_119')), ['g_119'], 'by id')
  const some = await rig.get('/console/grants?q=TOOL_3')
  t.equal(idsIn(some).length, 17, 'by line')
  t.match(some.text, '17 grants with “TOOL_3”')
  for (const page of ['0', '4', '-1', 'x', '1e1'])
    t.equal((await rig.get(`/console/grants?page=${page}`)).status, 400, page)
})

t.test('a grant shows its lines in words, what is used and what became of it', async (t) => {
  const rig = await createConsoleRig()
  const lines = ['tools = HTTP_GET', 'uses <= 5', 'expires < 2026-01-01T00:30:00Z']
  await record(rig, 'g_1', ...lines)
  const token = verifyToken(mintToken(BUILD_KEY, 'g_1', lines), [BUILD_KEY])
  await rig.uses.reserve(token.uses)
  const { text } = await rig.get('/console/grants/g_1')
  t.match(text, 'at most 5 calls')
  t.match(text, '1 of 5 used')
  t.match(text, '>live<')
  t.match(text, 'datetime="2026-01-01T00:30:00.000Z"')
  rig.time.now += 1_800_000
  t.match((await rig.get('/console/grants/g_1')).text, '>expired<')
  t.match(await rig.get('/console/grants/nobody'), { status: 404, text: /not_found/ })
})

t.test('narrowings stand as a tree, and any of them can be revoked', async (t) => {
  const rig = await createConsoleRig()
  const lines = ['tools = HTTP_*']
  await record(rig, 'g_1', ...lines)
  const root = mintToken(BUILD_KEY, 'g_1', lines)
  const a = narrowToken(root, ['uses <= 9'])
  const ab = narrowToken(a, ['ways = proxy', 'uses <= 3'])
  const c = narrowToken(root, ['delegate = no'])
  for (const token of [a, ab, c]) rig.grants.saw(verifyToken(token, [BUILD_KEY]), rig.time.now)
  // Stored a moment later.
  let children: readonly Narrowing[] = []
  for (let tries = 0; tries < 100 && children.length < 2; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    children = narrowingsOf((await rig.grants.get('g_1'))?.children ?? [], lines.length)
  }
  const shape = (each: Narrowing): unknown => [...each.lines, ...each.below.map(shape)]
  t.strictSame(
    new Set(children.map((each) => JSON.stringify(shape(each)))),
    new Set([
      JSON.stringify(['delegate = no']),
      JSON.stringify(['uses <= 9', ['ways = proxy', 'uses <= 3']]),
    ]),
  )

  const { link, links } = verifyToken(a, [BUILD_KEY])
  const page = await rig.get('/console/grants/g_1')
  t.ok(page.text.includes(`/console/grants/g_1/revoke?link=${link}`))
  const asked = await rig.get(`/console/grants/g_1/revoke?link=${link}`)
  t.match(asked.text, 'Revoke this branch?')
  t.equal(rig.grants.revoked('g_1', links), undefined, 'asking does nothing')
  const done = await rig.post('/console/grants/g_1/revoke', { link })
  t.match([done.status, done.headers['location']], [303, '/console/grants/g_1'])
  t.equal(rig.grants.revoked('g_1', verifyToken(ab, [BUILD_KEY]).links), link)
  t.equal(rig.grants.revoked('g_1', verifyToken(c, [BUILD_KEY]).links), undefined)
  t.match((await rig.get('/console/grants/g_1')).text, '>revoked<')
  t.equal((await rig.post('/console/grants/g_1/revoke', { link: 'x' })).status, 400)
})

t.test('a grant is revoked once that was asked about', async (t) => {
  const rig = await createConsoleRig()
  await record(rig, 'g_1', 'tools = A')
  const asked = await rig.get('/console/grants/g_1/revoke')
  t.match(asked.text, 'Revoke this grant?')
  t.equal(rig.grants.revoked('g_1', []), undefined)
  t.equal((await rig.post('/console/grants/g_1/revoke', { link: '' })).status, 303)
  t.equal(rig.grants.revoked('g_1', []), 'g_1')
  const { text } = await rig.get('/console/grants/g_1')
  t.match(text, 'Revoked')
  t.notMatch(text, '/console/grants/g_1/revoke')
  t.equal((await rig.post('/console/grants/nobody/revoke', {})).status, 404)
})

t.test('lines are put on a grant once they were looked at', async (t) => {
  const rig = await createConsoleRig()
  await record(rig, 'g_1', 'tools = A', 'task = T-1')
  const path = '/console/grants/g_1/leash'
  const offered = [...(await rig.get(path)).text.matchAll(/value="add\.(\w+)"/g)].map(([, x]) => x)
  t.same(offered, ['tools', 'ways', 'expires', 'uses', 'area', 'arg', 'person', 'model'])
  const row = { '0.axis': 'uses', '0.op': '<=', '0.value': '7' }
  const preview = await rig.post(path, { ...row, do: 'preview' })
  t.match(preview.text, 'at most 7 calls')
  const seen = /name="seen"\s+value="([^"]+)"/.exec(preview.text)?.[1] ?? ''
  t.equal((await rig.post(path, { ...row, do: 'put' })).status, 200)
  t.same(rig.grants.leashOf('g_1') ?? [], [], 'nothing unseen')
  const done = await rig.post(path, { ...row, seen, do: 'put' })
  t.match([done.status, done.headers['location']], [303, '/console/grants/g_1'])
  t.same(rig.grants.leashOf('g_1'), ['uses <= 7'])
  t.match((await rig.get('/console/grants/g_1')).text, '0 of 7 used')
  const wrong = { '0.axis': 'task', '0.op': '=', '0.value': 'T-1/2', do: 'preview' }
  t.match(await rig.post(path, wrong), { status: 400, text: /cannot move the calls of a grant/ })
  t.match(await rig.post(path, { do: 'put' }), { status: 400, text: /there is no line yet/ })
})

t.test('ids and lines that were chosen to break pages are text', async (t) => {
  const rig = await createConsoleRig()
  const canary = `<script>alert(1)</script>"'&`
  await record(rig, canary, `tools = ${canary.replaceAll(/[<>"'& ]/g, '')}`, `task = T-1`)
  await rig.grants.leash(canary, [`arg A.x = ${canary}`], { by: canary, now: rig.time.now })
  for (const page of ['/console/grants', `/console/grants/${encodeURIComponent(canary)}`]) {
    const { status, text } = await rig.get(page)
    t.equal(status, 200, page)
    t.notMatch(text, '<script>alert')
    t.match(text, '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;')
  }
})
