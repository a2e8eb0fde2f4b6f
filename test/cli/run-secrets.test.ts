import t from 'tap'
import { narrowgate } from './process.ts'

const CONFIG = JSON.stringify({
  upstreams: [
    {
      name: 'api',
      hosts: ['api.demo.test'],
      keys: [
        {
          name: 'k',
          secret: { env: 'UPSTREAM_KEY' },
          header: 'authorization',
          format: 'Bearer {}',
        },
      ],
    },
  ],
})

t.test('the command does not inherit the variable that holds an upstream’s key', async (t) => {
  const cwd = t.testdir({ 'narrowgate.yaml': CONFIG })
  const env = { UPSTREAM_KEY: 'k-5d1f7a9c3e8b2046', OTHER: 'kept' }
  const ran = await narrowgate(['run', '--state', 'state', '--', 'env'], { cwd, env })
  t.equal(ran.exit, 0, ran.stderr)
  t.match(ran.stdout, 'OTHER=kept')
  t.notMatch(ran.stdout, 'k-5d1f7a9c3e8b2046')
  t.match(ran.stderr, 'withheld from the command: UPSTREAM_KEY')
})
