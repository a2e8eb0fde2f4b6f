import t from 'tap'
import { AXES, verifyToken } from '../../../../policy/index.ts'
import { BUILD_KEY } from '../_owner.ts'
import { createConsoleRig, type ConsoleRig, type Got } from './_console.ts'

type Row = readonly [axis: string, op: string, value: string, tool?: string, path?: string]

/** The fields of some rows, as a browser sends them. */
function fields(...rows: readonly Row[]): Readonly<Record<string, string>> {
  const pairs = rows.flatMap(([axis, op, value, tool, path], at) => [
    [`${at}.axis`, axis],
    [`${at}.op`, op],
    [`${at}.value`, value],
    ...(tool === undefined ? [] : [[`${at}.tool`, tool]]),
    ...(path === undefined ? [] : [[`${at}.path`, path]]),
  ])
  return Object.fromEntries(pairs)
}

const GOOD: readonly Row[] = [
  ['tools', '=', 'HTTP_GET'],
  ['uses', '<=', '5'],
  ['arg', 'glob', '*.acme.com', 'HTTP_GET', 'host'],
]
const LINES = ['tools = HTTP_GET', 'uses <= 5', 'arg HTTP_GET.host glob *.acme.com']

function field({ text }: Got, name: string): string {
  return new RegExp(`name="${name}"\\s+value="([^"]*)"`).exec(text)?.[1] ?? ''
}

/** Axes of the rows of a page, in order. */
function axesOf({ text }: Got): readonly string[] {
  return [...text.matchAll(/name="\d+\.axis"\s+value="(\w+)"/g)].map(([, axis = '']) => axis)
}

function tokenOf({ text }: Got): string | undefined {
  return /g1\.[\w-]+\.[\w-]{43}/.exec(text)?.[0]
}

/** Mints as a person does: preview, then the button below it. */
async function mint(rig: ConsoleRig, rows: Readonly<Record<string, string>>): Promise<Got> {
  const preview = await rig.post('/console/mint', { ...rows, do: 'preview' })
  const [seen, id] = [field(preview, 'seen'), field(preview, 'id')]
  return rig.post('/console/mint', { ...rows, id, seen, do: 'mint' })
}

t.test('the form has the axes of the table, no more and no fewer', async (t) => {
  const rig = await createConsoleRig()
  const { text } = await rig.get('/console/mint')
  const buttons = [...text.matchAll(/value="add\.(\w+)"/g)].map(([, axis]) => axis)
  const templates = [...text.matchAll(/<template id="row-(\w+)">([^]*?)<\/template>/g)]
  const names = AXES.map(({ name }) => name)
  t.same(buttons, names)
  t.same(
    templates.map(([, axis]) => axis),
    names,
  )
  for (const [at, { name, ops }] of AXES.entries()) {
    const row = templates[at]?.[2] ?? ''
    const offered = [...row.matchAll(/<option(?: selected)?>([^<]+)<\/option>/g)].map(
      ([, op]) => op,
    )
    const fixed = /name="N\.op"\s+value="([^"]+)"/.exec(row)?.[1]
    const decoded = (offered.length > 0 ? offered : [fixed]).map((op) =>
      String(op).replace('&lt;', '<').replace('&gt;', '>'),
    )
    t.same(decoded, [...ops], `the operators of ${name}`)
    t.equal(row.includes('name="N.tool"'), name === 'arg', `a tool and a path: ${name}`)
  }
})

t.test('rows are added and removed without a script too', async (t) => {
  const rig = await createConsoleRig()
  const press = (button: string, rows: readonly Row[]) =>
    rig.post('/console/mint', { ...fields(...rows), do: button })
  for (const { name } of AXES) {
    const after = axesOf(await press(`add.${name}`, GOOD))
    t.same(after, name === 'keys' ? [name, ...axesOf2(GOOD)] : [...axesOf2(GOOD), name], name)
  }
  const ended = [...GOOD, ['delegate', '=', 'no'] as const]
  t.same(axesOf(await press('add.task', ended)), [...axesOf2(GOOD), 'task', 'delegate'])
  t.same(axesOf(await press('remove.1', GOOD)), ['tools', 'arg'])
  const kept = await press('add.task', GOOD)
  t.match(kept.text, /value="\*\.acme\.com"/, 'what was typed stays')
})

function axesOf2(rows: readonly Row[]): readonly string[] {
  return rows.map(([axis]) => axis)
}

t.test('a preview says it in plain words and in Cedar, and makes nothing', async (t) => {
  const rig = await createConsoleRig()
  const { status, text } = await rig.post('/console/mint', { ...fields(...GOOD), do: 'preview' })
  t.equal(status, 200)
  t.match(text, 'only the tools HTTP_GET')
  t.match(text, 'at most 5 calls, shared with every token narrowed from this one')
  t.match(text, 'permit (principal, action, resource)')
  t.match(text, 'context.x0 != &quot;HTTP_GET&quot;')
  t.equal(tokenOf({ text } as Got), undefined)
  t.same(await rig.grants.list(), [])
})

t.test('what is wrong stands at its row, with the repair', async (t) => {
  const rig = await createConsoleRig()
  const cases: readonly (readonly [Row[], number, RegExp])[] = [
    [
      [
        ['tools', '=', 'A B'],
        ['uses', '<=', '5'],
      ],
      0,
      /holds a space; leave it out/,
    ],
    [
      [
        ['tools', '=', 'A'],
        ['uses', '<=', 'many'],
      ],
      1,
      /is no whole number from 0 to 999999999/,
    ],
    [
      [
        ['tools', '=', 'A'],
        ['uses', '=', '5'],
      ],
      1,
      /the op <code>=<\/code> is not known; use/,
    ],
    [
      [
        ['tools', '=', 'A'],
        ['arg', '=', 'x', 'A*', 'to'],
      ],
      1,
      /begins with no exact name of a tool/,
    ],
    [
      [
        ['tools', '=', 'A'],
        ['keys', '=', 'bob'],
      ],
      1,
      /may only be the first line/,
    ],
    [
      [
        ['delegate', '=', 'no'],
        ['uses', '<=', '1'],
      ],
      1,
      /a line follows <code>delegate = no<\/code>/,
    ],
    [
      [
        ['task', '=', 'T-1'],
        ['task', '=', 'T-2'],
      ],
      1,
      /leaves the task <code>T-1<\/code>/,
    ],
    [[['moon', '=', 'full']], 0, /the axis <code>moon<\/code> is not known/],
  ]
  for (const [rows, at, says] of cases) {
    for (const what of ['preview', 'mint']) {
      const { status, text } = await rig.post('/console/mint', { ...fields(...rows), do: what })
      t.equal(status, 400)
      const fault = new RegExp(`id="${at}-fault">([^]*?)</p>`).exec(text)?.[1] ?? ''
      t.match(fault, says, JSON.stringify(rows))
      for (const other of rows.keys())
        if (other !== at) t.match(text, new RegExp(`id="${other}-fault">\\s*</p>`))
    }
  }
  const empty = await rig.post('/console/mint', { do: 'preview' })
  t.match(empty, { status: 400, text: /a token without lines would grant everything/ })
  t.same(await rig.grants.list(), [])
})

t.test('the token is shown once, with its links, and is what was previewed', async (t) => {
  const rig = await createConsoleRig()
  const shown = await mint(rig, fields(...GOOD))
  t.equal(shown.status, 200)
  const token = tokenOf(shown) ?? ''
  const verified = verifyToken(token, [BUILD_KEY])
  t.strictSame(verified.lines, LINES)
  for (const link of ['', '/run', '/mcp'])
    t.ok(shown.text.includes(`>https://gate.test/g/${token}${link}</textarea`), `the link ${link}`)
  const [grant] = await rig.grants.list()
  t.match(grant, { id: verified.id, lines: LINES, by: 'owner' })
  for (const page of [
    '/console',
    '/console/mint',
    '/console/grants',
    `/console/grants/${grant?.id}`,
  ])
    t.equal(tokenOf(await rig.get(page)), undefined, page)
})

t.test('links name the proxy’s port where no address is configured', async (t) => {
  const rig = await createConsoleRig({ sending: () => undefined })
  const { text } = await mint(rig, fields(...GOOD))
  t.match(text, />http:\/\/127\.0\.0\.1:3128\/g\/g1\./)
})

t.test('lines that were not previewed are not minted', async (t) => {
  const rig = await createConsoleRig()
  const preview = await rig.post('/console/mint', { ...fields(...GOOD), do: 'preview' })
  const seen = field(preview, 'seen')
  const wider = fields(['tools', '=', '*'], ...GOOD.slice(1))
  for (const form of [wider, fields(...GOOD.slice(0, 2)), fields(...GOOD.toReversed())]) {
    const { text, status } = await rig.post('/console/mint', { ...form, seen, do: 'mint' })
    t.equal(status, 200)
    t.match(text, 'The lines have changed since the preview')
  }
  const blind = await rig.post('/console/mint', { ...fields(...GOOD), do: 'mint' })
  t.equal(tokenOf(blind), undefined)
  t.same(await rig.grants.list(), [])
})

t.test('a form that is sent twice makes one grant', async (t) => {
  const rig = await createConsoleRig()
  const rows = fields(...GOOD)
  const preview = await rig.post('/console/mint', { ...rows, do: 'preview' })
  const form = { ...rows, id: field(preview, 'id'), seen: field(preview, 'seen'), do: 'mint' }
  t.equal((await rig.post('/console/mint', form)).status, 200)
  const again = await rig.post('/console/mint', form)
  t.match(again, { status: 409, text: /id_taken/ })
  t.equal(tokenOf(again), undefined)
  t.equal((await rig.grants.list()).length, 1)
})

t.test('an address can fill in the form', async (t) => {
  const rig = await createConsoleRig()
  const query = new URLSearchParams(LINES.map((line): [string, string] => ['line', line]))
  const { text, status } = await rig.get(`/console/mint?${query.toString()}`)
  t.equal(status, 200)
  t.same(axesOf({ text } as Got), axesOf2(GOOD))
  t.match(text, /name="2\.path"\s+value="host"/)
  const broken = await rig.get('/console/mint?line=moon%20%3D%20full')
  t.match(broken, { status: 400, text: /the axis <code>moon<\/code> is not known/ })
  t.same(axesOf(await rig.get('/console/mint')), ['tools', 'expires', 'uses'], 'as `run` begins')
})

t.test('whatever is typed comes back as text', async (t) => {
  const rig = await createConsoleRig()
  const canary = `"><script>alert(1)</script><img src=x onerror=alert(2)>'`
  const rows = fields(['arg', '=', canary, canary, canary], [canary, canary, canary])
  const { text } = await rig.post('/console/mint', { ...rows, id: canary, do: 'preview' })
  t.notMatch(text, '<script>alert')
  t.notMatch(text, '<img src=x')
  t.match(text, '&quot;&gt;&lt;script&gt;')
})
