import fc from 'fast-check'
import t from 'tap'
import type { PathSplice } from '../../../adapters/upstream/port.ts'
import { splicePath } from '../../../adapters/upstream/splice.ts'
import { OK, permitFor, rawServer, requestTo, send, upstreamFor } from './helpers/upstream.ts'

t.test('keys fill values of the judged path, and nothing else', async (t) => {
  const path = '/bot__k__/send?a=__k__&b=2'
  const sent = splicePath({
    path,
    splices: [
      { from: 4, to: 9, text: '1:ab%2Fc' },
      { from: 17, to: 22, text: 'key' },
      { from: path.length, to: path.length, text: '&api_key=k' },
    ],
  })
  t.equal(sent, '/bot1:ab%2Fc/send?a=key&b=2&api_key=k')
  t.equal(splicePath({ path: '/a', splices: [{ from: 2, to: 2, text: '?k=v' }] }), '/a?k=v')
  t.equal(splicePath({ path }), path)
})

const WRONG: Readonly<Record<string, PathSplice | readonly PathSplice[]>> = {
  'another segment': { from: 4, to: 9, text: 'a/b' },
  'a query out of a segment': { from: 4, to: 9, text: 'a?b' },
  'another parameter': { from: 17, to: 22, text: 'a&c=d' },
  'a parameter in the midst': { from: 17, to: 17, text: '&c=d' },
  'a second question mark': { from: 26, to: 26, text: '?c=d' },
  'a parameter whose value goes on': { from: 26, to: 26, text: '&c=d&e=f' },
  'a fragment': { from: 4, to: 9, text: 'a#b' },
  'a broken escape': { from: 4, to: 9, text: 'a%2' },
  'another request': { from: 4, to: 9, text: 'a HTTP/1.1\r\nx: ' },
  'a segment less': { from: 4, to: 10, text: 'a' },
  'a parameter less': { from: 19, to: 24, text: 'a' },
  'the first slash': { from: 0, to: 1, text: 'a' },
  'a place behind the end': { from: 27, to: 28, text: 'a' },
  'a place that ends before it begins': { from: 9, to: 8, text: 'a' },
  'two in one place': [
    { from: 4, to: 9, text: 'a' },
    { from: 8, to: 9, text: 'b' },
  ],
}

t.test('whatever would change how the path is parted sends nothing', async (t) => {
  const server = await rawServer(t, (socket) => socket.end(OK))
  const path = '/bot__k__/send?a=__k__&b=2'
  t.equal(path.length, 26)
  for (const [what, wrong] of Object.entries(WRONG)) {
    const splices = [wrong].flat()
    await t.rejects(
      send(upstreamFor(t), requestTo(server.port, { path, splices })),
      TypeError,
      what,
    )
  }
  t.same(server.received, [])
})

t.test('the judged path is what the permit names, the spliced one is what arrives', async (t) => {
  const server = await rawServer(t, (socket) => socket.end(OK))
  const splices = [{ from: 1, to: 6, text: 'secret' }]
  for (const [at, engine] of (['fast', 'general'] as const).entries()) {
    await send(upstreamFor(t, { engine }), requestTo(server.port, { path: '/__k__/x', splices }))
    t.match(server.received[at], /^GET \/secret\/x HTTP\/1\.1\r\n/, engine)
  }
  const upstream = upstreamFor(t)
  const sent = requestTo(server.port, { path: '/secret/x', splices })
  const judged = permitFor(`GET http://127.0.0.1:${server.port}/__k__/x`)
  await t.rejects(upstream.send(sent, judged), TypeError, 'a permit for another path')
})

t.test('segments and parameters stay in number, whatever the splices are', async () => {
  const path = '/a/__k__?b=__k__&c'
  const parts = (text: string) => text.split(/[/?&=#]/).length
  const splice = fc.record({
    from: fc.integer({ min: 0, max: 20 }),
    to: fc.integer({ min: 0, max: 20 }),
    text: fc.stringMatching(/^[a-c/?&=#%2. ]{0,6}$/),
  })
  fc.assert(
    fc.property(fc.array(splice, { maxLength: 3 }), (splices) => {
      let sent
      try {
        sent = splicePath({ path, splices })
      } catch (error) {
        return error instanceof TypeError
      }
      const added = splices.filter(({ text }) => /^[?&]/.test(text)).length
      return parts(sent) === parts(path) + 2 * added && sent.startsWith('/')
    }),
    { numRuns: 3_000 },
  )
})
