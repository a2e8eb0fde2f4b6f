import t from 'tap'
import { clientOf } from '../../cli/demo/steps.ts'
import { narrowgate } from './process.ts'

t.test('the demonstration does what it says', async (t) => {
  const ran = await narrowgate(['demo'], { cwd: t.testdir(), timeout: 110_000 })
  t.equal(ran.exit, 0, ran.stdout + ran.stderr)
  t.notMatch(ran.stdout, '✗')
  t.equal(ran.stdout.match(/✓/g)?.length, 11, 'every check is made')
  t.match(ran.stdout, /\d{5,} bytes came from the API, \d{1,3} reached the agent/)
  t.notMatch(ran.stdout, /demo-[\w-]{24}/, 'the key is nowhere')
  t.notMatch(ran.stdout, /g1\.[\w-]+\.[\w-]{43}/, 'no whole token is shown')
})

t.test('without curl a client in Node does its part', async (t) => {
  t.equal(clientOf({ PATH: '/usr/bin' }), 'curl -s')
  t.equal(clientOf({ PATH: t.testdir() }), 'node client.mjs')
})
