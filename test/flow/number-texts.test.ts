import { flow, rowName } from '../helpers/gateway.ts'
import type { Shape } from '../helpers/shapes.ts'

// What is sent upstream is a number's text, so the text is what lines judge, not what a double makes of it.

const ROWS = [
  {
    name: 'PAY',
    method: 'POST',
    path: '/pay/{account}',
    args: {
      properties: {
        account: { in: 'path', type: 'integer' },
        rate: { in: 'query', type: 'number' },
        n: { in: 'body', type: 'number' },
      },
    },
  },
]

interface Sent {
  readonly line: string
  readonly path?: string
  readonly n?: string
}

/** One of each engine. */
const SHAPES: readonly Shape[] = ['absolute', 'tunnel-h2']

const ONE_MORE = '1.00000000000000001'
const ID = '9007199254740993'

/** A double makes of each what the line asks for; what is written says more, or less. */
const ROUNDED: readonly Sent[] = [
  { line: 'arg PAY.n <= 1', n: ONE_MORE },
  { line: 'arg PAY.n <= 1', n: '100000000000000000001e-20' },
  { line: 'arg PAY.n >= 1', n: '0.99999999999999999' },
  { line: 'arg PAY.n = 1', n: ONE_MORE },
  { line: 'arg PAY.n in 0,1', n: '1e-400' },
  { line: 'arg PAY.n <= 0', n: '1e-400' },
  { line: 'arg PAY.deep.n <= 1', n: `0,"deep":[{"n":1},{"n":${ONE_MORE}}]` },
  { line: 'arg PAY.n.number glob *', n: ONE_MORE },
  { line: 'arg PAY.rate <= 1', path: `/pay/7?rate=${ONE_MORE}` },
  { line: 'arg PAY.account >= 1', path: `/pay/${ID}` },
]

const FINE: readonly Sent[] = [
  { line: 'arg PAY.n <= 1', n: '1.0000' },
  { line: 'arg PAY.n <= 1', n: '10e-1' },
  { line: 'arg PAY.n = 1', n: '1' },
  { line: 'arg PAY.rate <= 1', path: '/pay/7?rate=1.00' },
  // Nobody looks at what cannot be judged.
  { line: 'arg PAY.account = 7', n: ID },
  { line: 'arg PAY.n <= 1', path: `/pay/${ID}?rate=${ONE_MORE}` },
]

flow('a number is judged as it is written', { rows: ROWS }, async (t, gateway) => {
  const ask = ({ line, path = '/pay/7', n = '1' }: Sent, shape: Shape) => {
    const token = gateway.mint(line.replace('PAY', rowName('PAY', shape)))
    const headers = { 'content-type': 'application/json' }
    return gateway.ask(shape, { token, method: 'POST', path, headers, body: `{"n":${n}}` })
  }
  for (const shape of SHAPES) {
    for (const sent of ROUNDED) {
      const { status, header } = await ask(sent, shape)
      const what = `${shape}: ${JSON.stringify(sent)}`
      t.same([status, header('refused')], [403, 'arg_refused'], what)
    }
    for (const sent of FINE)
      t.equal((await ask(sent, shape)).status, 200, `${shape}: ${JSON.stringify(sent)}`)
  }
})

flow('a receipt and a refusal show it as it is written', { rows: ROWS }, async (t, gateway) => {
  const ask = (token: string, query: string) =>
    gateway.ask('absolute', {
      token,
      method: 'POST',
      path: `/pay/${ID}?rate=0.5${query}`,
      headers: { 'content-type': 'application/json' },
      body: `{"n":${ONE_MORE},"id":${ID},"m":2.50}`,
    })
  const token = gateway.mint('tools = PAY')
  // Where something is masked the receipt is written in another way.
  for (const query of ['', `&note=${token}`]) {
    const { header } = await ask(token, query)
    t.match(gateway.receipt(header('receipt')), {
      outcome: 'allowed',
      envelope: {
        args: {
          account: { number: ID },
          rate: 0.5,
          n: { number: ONE_MORE },
          id: { number: ID },
          m: 2.5,
        },
      },
    })
  }
  const refused = await ask(gateway.mint('arg PAY.n <= 1'), '')
  t.match(refused.text, ONE_MORE)
  t.match(gateway.receipt(refused.header('receipt')), { reasons: [{ axis: 'arg', got: ONE_MORE }] })
})
