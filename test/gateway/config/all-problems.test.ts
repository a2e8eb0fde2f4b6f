import t from 'tap'
import { printProblem } from '../../../gateway/config/index.ts'
import { badConfig } from './_config.ts'

t.test(
  'problems of shape and of meaning are told together, each on a line of its own',
  async (t) => {
    const problems = badConfig(`
surprise: 1
ledger: { driver: postgres }
upstreams:
  - name: a
    hosts: [127.1, a.test, 5]
    intercept: maybe
    keys:
      - { name: k, secret: { env: A }, header: Host }
mounts: [{ prefix: /g, to: nowhere }]
`)
    t.strictSame(problems.map((problem) => problem.path).sort(), [
      'ledger.driver',
      'mounts[0].prefix',
      'mounts[0].to',
      'surprise',
      'upstreams[0].hosts[0]',
      'upstreams[0].hosts[2]',
      'upstreams[0].intercept',
      'upstreams[0].keys[0].header',
    ])
    t.ok(problems.map(printProblem).every((line) => !line.includes('\n')))
    const driver = problems.find((problem) => problem.path === 'ledger.driver')
    t.equal(driver?.got, '`postgres`')
    t.equal(driver?.repair, 'it is not available in this version: write `embedded`')
  },
)
