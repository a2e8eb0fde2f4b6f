import { ISSUE_COUNT } from '../rig/upstreams/github.ts'
import { matrix } from './matrix.ts'

matrix({
  name: '@octokit/rest',
  needs: [],
  host: 'github.ng.test',
  call: (box) => box.node('octokit.ts'),
  answered(t, call) {
    const titles = JSON.parse(call.stdout) as readonly string[]
    t.equal(titles.length, ISSUE_COUNT, 'all pages are there')
    t.equal(titles.at(-1), `issue ${ISSUE_COUNT}`, 'and in order')
  },
  refusal: /403[^]*tool_not_granted/,
})
