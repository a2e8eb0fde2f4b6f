import { flow, rowName } from '../helpers/gateway.ts'
import { askOwner } from '../helpers/owner.ts'
import { assertRefused } from '../helpers/refused.ts'
import { SHAPES } from '../helpers/shapes.ts'
import { bodyOf } from '../helpers/upstream.ts'

const PLACEHOLDER = '__her_own_key__'
const SEAL = 'eS8J2mQvX4nTzR7kL0wYc5HbGd1FpUaV'
const OWN: Readonly<Record<string, string>> = {
  alice: 'sk-alice-8Re94yL52aXn19',
  bob: 'sk-bob-5Tg77zP63bYoK2mV',
}
const reached: string[] = []

/** The placeholder in each place in which it may stand. */
const PLACED = [
  { path: '/a', headers: { 'x-key': PLACEHOLDER } },
  { path: `/a?k=${PLACEHOLDER}`, headers: {} },
  {
    path: '/a',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ k: PLACEHOLDER }),
  },
]

flow(
  'the placeholder of a personal key goes nowhere without the key of the person',
  {
    keys: [
      {
        secret: undefined,
        personal: true,
        placeholder: PLACEHOLDER,
        places: ['headers', 'query', 'body'],
      },
    ],
    rows: [{ name: 'NAMED', method: 'GET', path: '/named', key: 'plain-0' }],
    config: { persons: { key: { command: ['printf', '%s', SEAL] } } },
    async serve(req, res) {
      reached.push(
        `${req.url} ${String(req.headers['x-key'])} ${String(await bodyOf(req).catch(() => ''))}`,
      )
      res.end('fine')
    },
  },
  async (t, gateway) => {
    for (const id of ['alice', 'bob']) await askOwner(gateway, 'POST', '/api/persons', { id })
    const put = async (person: string) => {
      for (const name of ['plain-0', 'secure-0']) {
        const path = `/api/persons/${person}/keys/${name}`
        const value = OWN[person]
        t.equal((await askOwner(gateway, 'PUT', path, { value })).status, 200)
      }
    }
    const refuses = async (what: string, ...lines: readonly string[]) => {
      const token = gateway.mint(...lines, 'tools = *')
      for (const shape of SHAPES)
        for (const placed of PLACED) {
          const before = reached.length
          const got = await gateway.ask(shape, { token, ...placed })
          const code = 'placeholder_not_for_host'
          const name = `${what}: ${shape}`
          // A body is looked through on its way, when its head may have gone out.
          if ('body' in placed) t.equal(got.header('refused'), code, name)
          else assertRefused(t, gateway, got, { status: 403, code, name })
          t.equal(reached.slice(before).join().includes(PLACEHOLDER), false, what)
        }
    }
    await refuses('nobody has stored one', 'keys = alice')
    await refuses('nobody has stored one, and nobody is named')
    await put('alice')
    await refuses('another person’s', 'keys = bob')
    await put('bob')
    await refuses('no person’s')
    for (const person of ['alice', 'bob'])
      for (const shape of SHAPES) {
        const token = gateway.mint(`keys = ${person}`, 'tools = *')
        for (const placed of PLACED) {
          t.equal((await gateway.ask(shape, { token, ...placed })).status, 200)
          t.match(reached.at(-1), OWN[person]!)
        }
        const named = { token, path: '/named', headers: { 'x-key': PLACEHOLDER } }
        if (rowName('NAMED', shape) === 'NAMED')
          t.equal((await gateway.ask(shape, named)).status, 200, 'a row that names the key')
      }
  },
)
