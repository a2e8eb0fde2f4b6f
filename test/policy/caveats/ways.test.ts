import t from 'tap'
import { AXES, type Way, WAYS } from '../../../policy/index.ts'
import { testAxis } from './table.ts'

testAxis({
  good: ['ways = link', `ways = ${WAYS.join(',')}`],
  bad: [
    ['ways = telnet', /`telnet` is not known/],
    ['ways = link,', /empty item/],
    ['ways = link, mcp', /holds a space/],
    ['ways = Link', /not known/],
    ['ways = *', /not known/],
    // A finer door has no name of its own: it counts as one of the eight.
    ['ways = jsonrpc', /not known/],
    ['ways = mcp_stdio', /not known/],
    ['ways <= link', /the op/],
  ],
  judged: [
    {
      line: 'ways = link,mcp',
      holds: [{ way: 'link' }, { way: 'mcp' }],
      refuses: [{ way: 'rest' }, { way: 'lin' as Way }, { way: '\ud800' as Way }],
      code: 'way_not_granted',
    },
    { line: `ways = ${WAYS.join(',')}`, holds: WAYS.map((way) => ({ way })) },
  ],
})

t.match(AXES.find(({ name }) => name === 'ways')?.value, WAYS.join(', '), 'all are named')
