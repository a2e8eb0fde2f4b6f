import t from 'tap'
import { parseCaveat } from '../../policy/index.ts'
import { grantLines, runTask, runTemplate, TEMPLATE_AXES } from '../../sidecar/template.ts'

const NOW = Date.parse('2026-11-29T12:00:00Z')
const OPTIONS = { without: [], pathBearing: [], now: NOW, random: () => 0.5 }

t.test('the template has tools, expires, uses, task and delegate by default', async (t) => {
  const { request, defaulted } = runTemplate({}, OPTIONS)
  const lines = grantLines(request, NOW)
  t.strictSame(lines, [
    'tools = HTTP_*',
    'expires < 2026-11-29T14:00:00Z',
    'uses <= 1000',
    `task = ${runTask(NOW, OPTIONS.random)}`,
    'delegate = no',
  ])
  t.strictSame(defaulted, lines, 'all of them nobody asked for')
  for (const line of lines) t.doesNotThrow(() => parseCaveat(line), line)
})

t.test('what is asked for stands in place of the default, and area makes it six', async (t) => {
  const asked = {
    tools: ['HTTP_GET', 'X_*'],
    expires: '15m',
    uses: 3,
    task: 'T-7/1',
    area: ['/src'],
  }
  const { request, defaulted } = runTemplate(asked, OPTIONS)
  t.strictSame(grantLines(request, NOW), [
    'tools = HTTP_GET,X_*',
    'expires < 2026-11-29T12:15:00Z',
    'uses <= 3',
    'task = T-7/1',
    'area = /src',
    'delegate = no',
  ])
  t.strictSame(defaulted, ['delegate = no'])
})

t.test('a line is left out by its name in without, and by nothing else', async (t) => {
  for (const axis of TEMPLATE_AXES) {
    const asked = axis === 'area' ? {} : { area: ['/src'] }
    const { request } = runTemplate(asked, { ...OPTIONS, without: [axis] })
    const lines = grantLines(request, NOW)
    t.equal(lines.length, 5, axis)
    t.notOk(
      lines.some((line) => line.startsWith(`${axis} `)),
      axis,
    )
  }
})

t.test('area is asked for where a granted row takes paths', async (t) => {
  const options = { ...OPTIONS, pathBearing: ['FILES_READ'] }
  t.throws(() => runTemplate({}, options), /area: `FILES_READ` .*--area/)
  t.doesNotThrow(() => runTemplate({ area: ['/src'] }, options))
  t.doesNotThrow(() => runTemplate({}, { ...options, without: ['area'] }))
})

t.test('a line both asked for and left out is refused', async (t) => {
  t.throws(() => runTemplate({ uses: 3 }, { ...OPTIONS, without: ['uses'] }), /without: `uses`/)
})

t.test('tasks sort by time and differ within one millisecond', async (t) => {
  const early = runTask(NOW, Math.random)
  t.ok(early < runTask(NOW + 1, Math.random))
  t.match(early, /^T-run-[0-9a-hjkmnp-tv-z]{14}$/)
  const made = new Set(Array.from({ length: 100 }, () => runTask(NOW, Math.random)))
  t.equal(made.size, 100)
})

t.test('lines are minted keys first, delegate last', async (t) => {
  const lines = grantLines(
    {
      delegable: false,
      model: ['m-*'],
      person: 'p_1',
      args: ['X.a = 1', 'X.b = 2'],
      ways: ['proxy'],
      keys: 'p_2',
    },
    NOW,
  )
  t.strictSame(lines, [
    'keys = p_2',
    'ways = proxy',
    'arg X.a = 1',
    'arg X.b = 2',
    'person = p_1',
    'model = m-*',
    'delegate = no',
  ])
})
