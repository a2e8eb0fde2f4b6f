import t from 'tap'
import { openLab } from './lab.ts'

t.test('a grant is leashed, and shown so by its id and by its token', async (t) => {
  const lab = await openLab((end) => t.teardown(end))
  const minted = await lab.run(['grant', 'mint', '--tools', 'HTTP_*', '--id', 'g_test'])
  const token = minted.stdout.trimEnd()
  const leash = (...lines: readonly string[]) => lab.run(['grant', 'leash', 'g_test', ...lines])

  await t.test('lines are added to those that are there', async (t) => {
    const first = await leash('tools = HTTP_GET')
    t.equal(first.exit, 0, first.stderr)
    const second = await leash('uses <= 7')
    t.match(second.stderr, /leashed g_test\n +tools = HTTP_GET .*\n +uses <= 7 +at most 7 calls/)
  })

  await t.test('by its token', async (t) => {
    const { stdout } = await lab.run(['grant', 'show', token, '--json'])
    t.match(JSON.parse(stdout), {
      lines: [{ line: 'tools = HTTP_*' }],
      leash: [{ line: 'tools = HTTP_GET' }, { line: 'uses <= 7' }],
      uses: [{ limit: 7, used: 0 }],
    })
    const plain = await lab.run(['grant', 'show', token])
    t.match(plain.stdout, /LEASH +MEANS\n +tools = HTTP_GET/)
    t.match(plain.stdout, 'uses: 7 left of 7')
  })

  await t.test('by its id', async (t) => {
    const { exit, stdout } = await lab.run(['grant', 'show', 'g_test', '--json'])
    t.equal(exit, 0)
    const shown = JSON.parse(stdout)
    t.match(shown, { id: 'g_test', leash: [{ line: 'tools = HTTP_GET' }, { line: 'uses <= 7' }] })
    t.notOk('revoked' in shown)
    t.match((await lab.run(['grant', 'show', 'g_test'])).stdout, /by grant mint[^]*not revoked/)
    const nobody = await lab.run(['grant', 'show', 'g_none'])
    t.equal(nobody.exit, 1)
    t.match(nobody.stderr, 'grant list shows the ids')
  })

  await t.test('a line that could not narrow is refused, and nothing is added', async (t) => {
    for (const line of ['keys = alice', 'task = T-1', 'delegate = no', 'tool = A'])
      t.not((await leash('uses <= 1', line)).exit, 0, line)
    const { stdout } = await lab.run(['grant', 'show', 'g_test', '--json'])
    t.equal(JSON.parse(stdout).leash.length, 2)
  })

  await t.test('for a grant that is not known here it holds all the same', async (t) => {
    const { exit, stderr } = await lab.run(['grant', 'leash', 'g_else', 'uses <= 1'])
    t.equal(exit, 0)
    t.match(stderr, 'no grant of this id was recorded here')
  })
})
