import t from 'tap'
import { badConfig, goodConfig } from './_config.ts'

/** Each way in which a key takes a place of the call. */
const WAYS = {
  authorization: 'header: authorization',
  basic: 'basic_user: u',
  oauth: 'oauth: { token_url: "https://login.test/t", client_id: c }',
  sigv4: 'sigv4: { access_key_id: { env: I }, region: r, service: s3 }',
  'the date of sigv4': 'header: X-Amz-Date',
  hmac: 'hmac: { header: X-Mac, message: "{body}", timestamp_header: x-time }',
  'the header of the hmac': 'header: x-mac',
  'the time of the hmac': 'header: X-Time',
  query: 'query: key',
  'another parameter': 'query: other',
  placeholder: 'placeholder: __my_key__',
} as const

type Way = keyof typeof WAYS

const MEET: readonly (readonly [Way, Way])[] = [
  ['authorization', 'basic'],
  ['authorization', 'oauth'],
  ['authorization', 'sigv4'],
  ['basic', 'oauth'],
  ['basic', 'sigv4'],
  ['oauth', 'sigv4'],
  ['sigv4', 'the date of sigv4'],
  ['hmac', 'the header of the hmac'],
  ['hmac', 'the time of the hmac'],
]

function text(one: Way, other: Way, more = ''): string {
  return `
upstreams:
  - name: a
    hosts: [a.test]
    keys:
      - { name: first, secret: { env: A }, ${WAYS[one]} }
      - { name: second, secret: { env: A }, ${WAYS[other]}${more} }
`
}

t.test('two keys for one place are refused with both names', async (t) => {
  const ways = Object.keys(WAYS) as Way[]
  for (const one of ways)
    for (const other of ways) {
      const meet = one === other || MEET.some((pair) => pair.includes(one) && pair.includes(other))
      if (!meet) {
        t.equal(goodConfig(text(one, other)).upstreams[0]?.keys.length, 2, `${one}, ${other}`)
        continue
      }
      const [problem] = badConfig(text(one, other))
      t.equal(problem?.path, 'upstreams[0].keys', `${one}, ${other}`)
      t.match(problem?.got, /`second`.*`first`/)
    }
})

t.test('other methods, paths or persons part them', async (t) => {
  const parted = (first: string, second: string) =>
    goodConfig(text('query', 'query', second).replace('query: key }', `query: key${first} }`))
  t.ok(parted(', methods: [GET]', ', methods: [POST]'))
  t.ok(parted(', paths: ["/a/*"]', ', paths: ["/b/*"]'))
  t.ok(parted(', person: alice', ', person: bob'))
  t.throws(() => parted(', paths: ["/a/*"]', ', paths: ["*/b"]'.replace('*/b', '/*/b')))
})
