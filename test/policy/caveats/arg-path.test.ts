import { testAxis } from './table.ts'

const args = (value: Readonly<Record<string, unknown>>) => ({ tool: 'X', args: value })
const nested = (depth: number): unknown => (depth === 0 ? 'v' : [nested(depth - 1)])

testAxis({
  good: [],
  bad: [],
  judged: [
    {
      line: 'arg X.a.b = v',
      holds: [
        args({ a: { b: 'v' } }),
        args({ a: [{ b: 'v' }, { b: ['v', 'v'] }] }),
        args({ a: [[{ b: 'v' }]] }),
        args({ a: { b: nested(20) } }),
        args({ a: { b: Array.from({ length: 64 }, () => 'v') } }),
      ],
      refuses: [
        args(Object.create({ a: { b: 'v' } }) as Record<string, unknown>),
        args({ a: Object.create({ b: 'v' }) as unknown }),
        args({ 'a.b': 'v' }),
        args({ a: 'v' }),
        args({ a: null }),
        args({ a: [] }),
        args({ a: [{ b: 'v' }, {}] }),
        args({ a: [{ b: 'v' }, 'v'] }),
        args({ a: [{ b: 'v' }, { b: [] }] }),
        args({ a: { b: Array.from({ length: 65 }, () => 'v') } }),
        args({ a: Array.from({ length: 33 }, () => ({ b: ['v', 'v'] })) }),
        args({ a: { b: nested(5000) } }),
      ],
      code: 'arg_refused',
    },
    {
      line: 'arg X.constructor.name = Object',
      refuses: [args({})],
      code: 'arg_refused',
    },
    {
      line: 'arg X.__proto__ = v',
      holds: [args(JSON.parse('{"__proto__":"v"}') as Record<string, unknown>)],
      refuses: [args({ proto: 'v' })],
      code: 'arg_refused',
    },
    {
      line: 'arg X.a.length = 1',
      refuses: [args({ a: ['x'] }), args({ a: 'x' })],
      code: 'arg_refused',
    },
    {
      line: 'arg X.a.0 = v',
      holds: [args({ a: { 0: 'v' } })],
      refuses: [args({ a: ['v'] })],
      code: 'arg_refused',
    },
  ],
})
