import t from 'tap'
import { parseCaveat } from '../../policy/index.ts'
import { askOf } from './support.ts'

t.test(
  'a line that was read before is the same line, and nobody can change it for others',
  async (t) => {
    const line = 'tools = KNOWN_A,KNOWN_*'
    const caveat = parseCaveat(line)
    t.equal(parseCaveat(`${line.slice(0, 8)}${line.slice(8)}`), caveat)
    t.throws(() => Object.assign(caveat, { axis: 'ways' }), TypeError)
    t.throws(() => Object.assign(caveat.clause, { refuses: () => undefined }), TypeError)
    t.equal(caveat.clause.refuses(askOf({ tool: 'OTHER' }))?.code, 'tool_not_granted')
  },
)

t.test('what is kept is few and short', async (t) => {
  const long = `tools = ${'A'.repeat(300)}`
  t.not(parseCaveat(long), parseCaveat(long), 'a long line is read anew')
  const longest = `tools = ${'A'.repeat(248)}`
  t.equal(parseCaveat(longest), parseCaveat(longest), 'one of 256 characters is kept')
  t.not(parseCaveat(`${longest}A`), parseCaveat(`${longest}A`))
  const first = parseCaveat('tools = FIRST')
  for (let serial = 0; serial < 1024; serial++) parseCaveat(`tools = A${serial}`)
  const again = parseCaveat('tools = FIRST')
  t.not(again, first, 'the line that was not asked for longest is gone')
  t.strictSame([again.axis, again.line, again.value], ['tools', 'tools = FIRST', 'FIRST'])
})

t.test('a line that does not parse faults each time', async (t) => {
  for (const time of ['once', 'twice'])
    t.throws(() => parseCaveat('nope = 1'), { code: 'token_unknown_caveat' }, time)
})
