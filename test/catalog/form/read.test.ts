import t from 'tap'
import { parseFormBody, type ArgSchema } from '../../../catalog/index.ts'
import { rowWith } from '../request/rig.ts'

const properties: Readonly<Record<string, ArgSchema>> = {
  amount: { in: 'body', type: 'integer' },
  ids: { in: 'body', type: 'array' },
  'raw[]': { in: 'body', type: 'array' },
  tags: { in: 'body', type: 'array', style: 'comma' },
  items: { in: 'body', type: 'array', style: 'deep' },
  meta: { in: 'body', type: 'object', style: 'deep' },
  either: { in: 'body', style: 'deep' },
  extra: { in: 'body', type: 'object', style: 'json' },
}
const tool = rowWith({ method: 'POST', body: 'form', args: { properties } })
const read = (text: string | Uint8Array) => parseFormBody(Buffer.from(text as string), tool)

t.test('the fields of a form are arguments of the types that the row gives them', async (t) => {
  const cases: Readonly<Record<string, unknown>> = {
    '': {},
    '&amount=5&': { amount: 5 },
    'a+b=c%20d+e&%C3%BC=%26': { 'a b': 'c d e', ü: '&' },
    'ü=€': { ü: '€' },
    'ids=1': { ids: ['1'] },
    'ids=1&ids=2&stray=x&stray=y&flag': { ids: ['1', '2'], stray: ['x', 'y'], flag: '' },
    'raw%5B%5D=1&raw[]=2': { 'raw[]': ['1', '2'] },
    'tags=a%2Cb,': { tags: ['a', 'b', ''] },
    'items[0][n]=1&items[0][m]=2&items[1][n]=3': { items: [{ n: '1', m: '2' }, { n: '3' }] },
    'items[]=a&items[]=b': { items: ['a', 'b'] },
    'meta[a][b][]=1&meta[a][c]=2&meta[__proto__]=3': {
      meta: JSON.parse('{"a":{"b":["1"],"c":"2"},"__proto__":"3"}'),
    },
    'meta[1]=x&meta[0]=y': { meta: { 1: 'x', 0: 'y' } },
    'either=': { either: '' },
    'either[0]=x': { either: ['x'] },
    'extra=%7B%22a%22%3A%5B1%5D%7D': { extra: { a: [1] } },
    '__proto__=1&constructor=2': JSON.parse('{"__proto__":"1","constructor":"2"}'),
  }
  for (const [text, value] of Object.entries(cases)) t.same(read(text), { ok: true, value }, text)
})

t.test('what readers may take for different things is refused', async (t) => {
  const cases: Readonly<Record<string, RegExp>> = {
    'amount=5&amount=6': /field amount is a list of 2: write one integer/,
    'amount=05': /field amount/,
    'amount[]=5': /field amount\[\] has brackets, which the row does not know/,
    'stray[x]=5': /brackets, which the row does not know/,
    'a]=5': /brackets/,
    'meta[a=5': /brackets/,
    'meta[a]x=5': /brackets/,
    'meta=5': /field meta is "5": write it once, with brackets/,
    'meta[a]=1&meta=5': /with brackets and without/,
    'meta=5&meta[a]=1': /with brackets and without/,
    'either=1&either=2': /field either is a list/,
    'meta[a]=1&meta[a]=2': /does not go with the others/,
    'meta[a]=1&meta[a][b]=2': /does not go with the others/,
    'meta[a][b]=1&meta[a]=2': /does not go with the others/,
    'items[][n]=1': /does not go with the others/,
    'items[]=1&items[0]=2': /does not go with the others/,
    'items[0]=1&items[]=2': /does not go with the others/,
    'items[1]=x&items[0]=y': /write one array, indexes from 0 in order/,
    'items[a]=x': /write one array/,
    'meta[0]=x': /write one object/,
    'tags=a&tags=b': /field tags is a list of 2/,
    'extra=%7B%22a%22%3A1%2C%22a%22%3A2%7D': /each member once/,
    'extra={}&extra={}': /field extra/,
    'a=%': /bad percent escape/,
    'a=%FF': /bad percent escape/,
    [`meta${'[a]'.repeat(40)}=1`]: /nested too deep/,
  }
  for (const [text, reason] of Object.entries(cases))
    t.match(read(text), { ok: false, reason }, text)
  t.match(read(Uint8Array.of(0x61, 0x3d, 0xff)), { ok: false, reason: 'the body is not UTF-8' })
})
