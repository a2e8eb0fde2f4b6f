import t from 'tap'
import { TokenFault } from '../../policy/index.ts'
import { readLines } from '../../policy/lines.ts'

// The first fault counts, in the order of the lines.

function faultOf(...lines: readonly string[]): TokenFault | undefined {
  try {
    readLines(lines)
    return undefined
  } catch (error) {
    if (error instanceof TokenFault) return error
    throw error
  }
}

t.equal(faultOf('keys = p_1', 'tools = A', 'delegate = no'), undefined)
t.equal(faultOf('task = T', 'task = T', 'task = T/1', 'task = T/1/2'), undefined)

t.match(faultOf('tools = A', 'keys = p_1'), {
  stage: 'caveat',
  code: 'keys_misplaced',
  axis: 'keys',
})
t.match(faultOf('keys = p_1', 'keys = p_1'), { stage: 'caveat', code: 'keys_misplaced' })
t.match(faultOf('task = T/1', 'task = T'), { stage: 'caveat', axis: 'task' })
t.match(faultOf('task = T', 'task = TT'), { stage: 'caveat', axis: 'task' })
t.match(faultOf('delegate = no', 'colour = blue'), { stage: 'delegate', line: 'colour = blue' })
t.match(faultOf('colour = blue', 'delegate = no', 'tools = A'), { stage: 'caveat' })
t.match(faultOf('delegate = no', ''), { stage: 'delegate', code: 'token_not_delegable' })

for (const line of [
  '',
  ' ',
  ' tools = A',
  'tools = A ',
  'tools = A\n',
  'tools = A\u0085',
  'tools = A\u2029',
  'a\u007fb',
]) {
  t.match(faultOf(line), { stage: 'caveat' }, encodeURIComponent(line))
}

t.equal(faultOf(`task = ${'a'.repeat(4096 - 7)}`), undefined, 'a line of 4 KiB')
t.match(faultOf(`task = ${'a'.repeat(4096 - 6)}`), { stage: 'caveat' }, 'a line over 4 KiB')
t.equal(faultOf(`task = ${'é'.repeat(2044)}`), undefined, 'measured in bytes')
t.match(faultOf(`task = ${'é'.repeat(2045)}`), { stage: 'caveat' }, 'measured in bytes')
