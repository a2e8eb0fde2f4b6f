import t from 'tap'
import { AXES, parseCaveat } from '../../policy/index.ts'

t.same(
  AXES.map(({ name, ops }) => [name, ...ops]),
  [
    ['tools', '='],
    ['ways', '='],
    ['expires', '<'],
    ['uses', '<='],
    ['task', '='],
    ['area', '='],
    ['arg', '=', 'prefix', 'glob', 'in', '<=', '>='],
    ['person', '='],
    ['keys', '='],
    ['model', '='],
    ['delegate', '='],
  ],
)

const ALL_OPS = ['=', '==', '<', '<=', '>', '>=', 'in', 'prefix', 'glob', '!=', '']

for (const axis of AXES) {
  const caveat = parseCaveat(axis.example)
  t.equal(caveat.axis, axis.name, `the example of ${axis.name} is a line of it`)
  t.ok(axis.says !== '' && axis.value !== '')
  const subject = axis.name === 'arg' ? `${caveat.subject} ` : ''
  for (const op of ALL_OPS.filter((known) => !(axis.ops as readonly string[]).includes(known))) {
    t.throws(() => parseCaveat(`${axis.name} ${subject}${op} ${caveat.value}`), {
      name: 'TokenFault',
      stage: 'caveat',
    })
  }
}

for (const name of ['colour', 'Tools', 'tool', 'constructor', '__proto__', 'ARG']) {
  t.throws(() => parseCaveat(`${name} = A`), {
    name: 'TokenFault',
    reason: /is not known; use one of/,
  })
}
