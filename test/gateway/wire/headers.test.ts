import t from 'tap'
import {
  forwardAnswerHeaders,
  forwardRequestHeaders,
  getAllHeaders,
  getHeader,
  removeHeaders,
  replaceHeader,
  setHeader,
} from '../../../gateway/wire/headers.ts'

const raw = ['Host', 'a', 'X-B', '1', 'Accept', '*/*', 'x-b', '2']

t.test('get finds in any case', async (t) => {
  t.equal(getHeader(raw, 'x-B'), '1')
  t.same(getAllHeaders(raw, 'X-b'), ['1', '2'])
  t.equal(getHeader(raw, 'none'), undefined)
})

t.test('set keeps place and spelling, and leaves one line', async (t) => {
  t.same(setHeader(raw, 'X-b', '9'), ['Host', 'a', 'X-B', '9', 'Accept', '*/*'])
  t.same(setHeader(['Host', 'a'], 'X-b', '9'), ['Host', 'a', 'X-b', '9'])
})

t.test('remove and replace leave the others alone', async (t) => {
  t.same(removeHeaders(raw, ['X-b', 'HOST']), ['Accept', '*/*'])
  const change = (value: string) => (value === '1' ? undefined : `${value}!`)
  t.same(replaceHeader(raw, 'x-b', change), ['Host', 'a', 'Accept', '*/*', 'x-b', '2!'])
  t.same(raw.length, 8)
})

t.test('fields of the hop stay behind, those that Connection names too', async (t) => {
  const hop = [
    ['Connection', 'close, X-Secret'],
    ['connection', ' x-other ,, keep-alive'],
    ['X-Secret', '1'],
    ['X-OTHER', '1'],
    ['Keep-Alive', 'timeout=5'],
    ['Proxy-Connection', 'keep-alive'],
    ['Proxy-Authorization', 'Basic x'],
    ['Proxy-Authenticate', 'Basic'],
    ['Transfer-Encoding', 'chunked'],
    ['Upgrade', 'h2c'],
    ['TE', 'gzip'],
  ].flat()
  const kept = ['Host', 'a', 'Trailer', 'X-Sum', 'X-Kept', '1', 'Content-Length', '3']
  t.same(forwardRequestHeaders([...hop, ...kept]), kept)
  t.same(forwardAnswerHeaders([...kept, ...hop]), kept)
})

t.test('Connection can not take away what frames or routes the request', async (t) => {
  const headers = ['Connection', 'host, content-length', 'Host', 'a', 'Content-Length', '3']
  t.same(forwardRequestHeaders(headers), ['Host', 'a', 'Content-Length', '3'])
})

t.test('of TE only trailers goes on', async (t) => {
  t.same(forwardRequestHeaders(['TE', 'gzip, Trailers']), ['TE', 'trailers'])
  t.same(forwardRequestHeaders(['te', 'deflate']), [])
})

t.test("the gateway's own request fields stay behind", async (t) => {
  t.same(forwardRequestHeaders(['Want', 'a', 'X', '1'], ['want']), ['X', '1'])
})

t.test('an answer can not lead past us nor speak for us', async (t) => {
  const headers = ['Alt-Svc', 'h3=":443"', 'Receipt', 'fake', 'refused', 'expired', 'X', '1']
  t.same(forwardAnswerHeaders(headers), [
    'upstream-Receipt',
    'fake',
    'upstream-refused',
    'expired',
    'X',
    '1',
  ])
  t.same(forwardAnswerHeaders(['Beleg', 'x', 'Receipt', 'y'], ['beleg']), [
    'upstream-Beleg',
    'x',
    'Receipt',
    'y',
  ])
})
