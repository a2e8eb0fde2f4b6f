import fc from 'fast-check'
import t from 'tap'
import { splicePath } from '../../../adapters/upstream/splice.ts'
import { armBody, bodyForm, bodyHolds, createLookout } from '../../../gateway/wire/armed-body.ts'
import { holdsPlaceholder, splicedPath, splicesOf } from '../../../gateway/wire/armed-path.ts'
import { placeholderOf } from '../../../gateway/wire/placeholders.ts'

// Keys are ASCII: the configuration refuses others.
const KEY = 'sk-1:2/3?4&5=6%7+8#9 "\\'
const PLACEHOLDER = placeholderOf('{{a-key}}')

/** Each character as it is or percent-encoded. */
const spelled = (text: string) =>
  fc
    .array(fc.constantFrom('as it is', 'upper', 'lower'), {
      minLength: text.length,
      maxLength: text.length,
    })
    .map((ways) =>
      text
        .split('')
        .map((symbol, at) => {
          const hex = `%${symbol.charCodeAt(0).toString(16).padStart(2, '0')}`
          if (ways[at] === 'as it is') return symbol
          return ways[at] === 'upper' ? hex.toUpperCase() : hex
        })
        .join(''),
    )

function keysFor(places: { readonly inPath: boolean; readonly inQuery: boolean }) {
  return { parameters: [], placeholders: [{ placeholder: PLACEHOLDER, key: KEY, ...places }] }
}

t.test('a placeholder in path and query becomes the key, however it is spelled', async (t) => {
  fc.assert(
    fc.property(spelled(PLACEHOLDER.text), (text) => {
      const path = `/v1/x${text}y/z?q=a${text}&r=1`
      const splices = splicesOf(path, keysFor({ inPath: true, inQuery: true }))
      const sent = splicePath({ path, splices })
      const url = new URL(sent, 'http://a.test')
      return (
        decodeURIComponent(url.pathname) === `/v1/x${KEY}y/z` &&
        url.pathname.split('/').length === 4 &&
        url.searchParams.get('q') === `a${KEY}` &&
        url.searchParams.get('r') === '1' &&
        url.hash === '' &&
        splicedPath(path, splices) === sent &&
        !holdsPlaceholder(path, PLACEHOLDER, splices)
      )
    }),
  )
  const path = `/${PLACEHOLDER.text}?q=${PLACEHOLDER.text}`
  const inQuery = splicesOf(path, keysFor({ inPath: false, inQuery: true }))
  t.equal(inQuery.length, 1)
  t.ok(holdsPlaceholder(path, PLACEHOLDER, inQuery), 'the one in the path is still there')
})

t.test('a parameter is set, once for each time it is there', async (t) => {
  const set = (path: string) =>
    splicePath({
      path,
      splices: splicesOf(path, { placeholders: [], parameters: [{ name: 'key', key: 'K&=' }] }),
    })
  t.equal(set('/a'), '/a?key=K%26%3D')
  t.equal(set('/a?b=1'), '/a?b=1&key=K%26%3D')
  t.equal(set('/a?key=&b=1'), '/a?key=K%26%3D&b=1')
  t.equal(set('/a?k%65y=own&key=other'), '/a?k%65y=K%26%3D&key=K%26%3D')
  t.equal(set('/a?monkey=1'), '/a?monkey=1&key=K%26%3D')
  t.throws(() => set('/a?key'), { code: 'malformed_request' }, 'nothing to fill')
})

t.test('values of JSON and forms, not names', async (t) => {
  const keys = [{ placeholder: PLACEHOLDER, key: KEY }]
  const { text } = PLACEHOLDER
  const body = {
    [text]: 1,
    a: [text, `x ${text} "${text}" \\`, { b: text }],
    c: 'ü',
    d: `${text}: `,
  }
  const sent = (value: string, form: 'json' | 'form') =>
    armBody(Buffer.from(value), form, keys).sent.toString()
  const armed = JSON.parse(sent(JSON.stringify(body, null, 1), 'json')) as unknown
  t.same(armed, {
    [text]: 1,
    a: [KEY, `x ${KEY} "${KEY}" \\`, { b: KEY }],
    c: 'ü',
    d: `${KEY}: `,
  })
  t.equal(JSON.parse(sent('"\\u007B{a-k\\u0065y}}"', 'json')), KEY)
  const form = new URLSearchParams([
    ['a', text],
    ['b', `x${text}`],
  ])
  t.same(
    [...new URLSearchParams(sent(form.toString(), 'form'))],
    [
      ['a', KEY],
      ['b', `x${KEY}`],
    ],
  )
  t.equal(sent(`${text}=1`, 'form'), `${text}=1`)
})

t.test('what is no key in a body stays byte for byte', async () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 200 }),
      fc.constantFrom('json', 'form'),
      (bytes, form) => {
        const body = Buffer.from(bytes)
        return armBody(body, form, [{ placeholder: PLACEHOLDER, key: KEY }]).sent.equals(body)
      },
    ),
  )
})

t.test('a long string takes no stack', async (t) => {
  const keys = [{ placeholder: PLACEHOLDER, key: 'k'.repeat(20) }]
  for (const long of ['x'.repeat(8_000_000), '\\n'.repeat(2_000_000)]) {
    const body = Buffer.from(`["${long}","${PLACEHOLDER.text}"]`)
    t.equal(armBody(body, 'json', keys).sent.length, body.length + 20 - PLACEHOLDER.text.length)
  }
})

t.test('the forms that are looked through', async (t) => {
  const form = (type: string, more: readonly string[] = []) =>
    bodyForm(['Content-Type', type, ...more])
  t.equal(form('application/json; charset=utf-8'), 'json')
  t.equal(form('application/vnd.api+json'), 'json')
  t.equal(form('application/x-www-form-urlencoded'), 'form')
  t.equal(form('text/plain'), undefined)
  t.equal(form('application/json', ['Content-Encoding', 'gzip']), undefined)
  t.equal(bodyForm([]), undefined)
})

t.test('a body whose forms are several is not guessed at', async (t) => {
  const [json, form, plain] = [
    'application/json',
    'application/x-www-form-urlencoded',
    'text/plain',
  ]
  const lines = (...types: readonly string[]) =>
    bodyForm(types.flatMap((type) => ['content-type', type]))
  for (const types of [
    [json, plain],
    [plain, json],
    [plain, plain, form],
    [json, form],
    [json, ''],
    [`${plain}, ${json}`],
    [`${json},`],
  ])
    t.throws(() => lines(...types), { code: 'malformed_request' }, types.join(' | '))
  t.equal(lines(plain, 'text/html'), undefined, 'where nobody would find one')
  t.equal(lines(json, `${json}; charset=utf-8`), 'json', 'where all say the same')
  t.equal(lines('multipart/form-data; boundary="a,b"'), undefined)
})

t.test('the lookout finds a placeholder wherever the body is split', async (t) => {
  const said = '["a\\u007b{a-k\\u0065y}\\u007db"]'
  t.ok(bodyHolds(Buffer.from(said), 'json', PLACEHOLDER))
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 })), (sizes) => {
      const found = new Error('found')
      const look = createLookout([PLACEHOLDER], 'json', () => {
        throw found
      })
      let at = 0
      try {
        for (const size of [...sizes, said.length]) {
          look(Buffer.from(said.slice(at, at + size)))
          at += size
        }
      } catch (error) {
        return error === found
      }
      return false
    }),
  )
  const calm = createLookout([PLACEHOLDER], 'json', () => {
    throw new Error('found')
  })
  for (const piece of ['["{{a-', 'ke"]', '{{a-kez}}'])
    t.doesNotThrow(() => calm(Buffer.from(piece)))
})
