import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { browsing } from '../helpers/browser.ts'
import { flowIn } from '../helpers/gateway.ts'
import { narrowToken } from '../../policy/index.ts'
import { bundledClient } from './_bundle.ts'
import { CLIENT_SETUP } from './_upstream.ts'

/** What a page of another origin does with the client: all of it, as text, since it runs there. */
const SCRIPT = `async (url, token) => {
  const { createClient, Refused } = await import('/client.js')
  const client = createClient({ url, token })
  const reasonOf = (error) => ({ refused: error instanceof Refused, code: error.code, message: error.message, ...error })
  const narrow = client.narrow('tools = NOTE', 'arg NOTE.id = 1')
  const answer = await client.call('NOTES_LIST', {}, { select: ['id'], page: { limit: 2 } })
  const finished = []
  for await (const { key } of client.answers([
    { key: 'slow', tool: 'NOTE', args: { id: 'slow' } },
    { key: 'fast', tool: 'NOTE', args: { id: '1' } },
  ])) finished.push(key)
  const stream = (await client.send('NOTE', { id: 'stream' })).body.getReader()
  const first = new TextDecoder().decode((await stream.read()).value)
  await stream.cancel()
  return {
    found: (await client.find('write a note', { limit: 1 })).map(({ name }) => name),
    tools: await client.tools(),
    contract: (await client.contract('NOTE')).name,
    answer,
    recut: await client.receipt(answer.receipt, { want: 'title' }),
    receipt: (await client.receipt(answer.receipt)).tool,
    made: (await client.call('NOTES_MAKE', { title: 'grüße' })).value,
    batch: (await client.batch([{ tool: 'NOTE', args: { id: '2' } }])).map(({ value }) => value.id),
    finished,
    first,
    narrowed: narrow.token,
    let: (await narrow.call('NOTE', { id: '1' })).value.id,
    refused: await narrow.call('NOTE', { id: '2' }).catch(reasonOf),
    forged: await createClient({ url, token: token.slice(0, -1) + 'A' }).tools().catch(reasonOf),
    redirect: await client.call('NOTE', { id: 'away' }).catch(reasonOf),
    cookies: await fetch(url + '/g/tools', {
      credentials: 'include', headers: { authorization: 'Bearer ' + token },
    }).then(() => 'sent', () => 'not sent'),
    json: JSON.stringify({ client }),
  }
}`

browsing('the client in a page of another origin', async (t, browsers) => {
  await flowIn(t, CLIENT_SETUP, async (t, gateway) => {
    const origin = await serve(t, { '/': PAGE, '/client.js': (await bundledClient()).text })
    const { page, watched } = await browsers.open(origin)
    await page.goto(origin)
    const token = gateway.mint('tools = NOTE,NOTES_LIST,NOTES_MAKE')
    const did = await run(page, `http://127.0.0.1:${gateway.proxyPort}`, token)
    t.match(did, {
      found: ['NOTES_MAKE'],
      tools: ['NOTE', 'NOTES_LIST', 'NOTES_MAKE'],
      contract: 'NOTE',
      answer: { value: [{ id: 1 }, { id: 2 }], status: 200, receipt: /-/, projected: /->/ },
      recut: { value: [{ title: 'buy milk' }, {}, {}], receipt: /-/ },
      receipt: 'NOTES_LIST',
      made: { title: 'grüße' },
      batch: [2],
      finished: ['fast', 'slow'],
      first: 'data: 1\n\n',
      narrowed: narrowToken(token, ['tools = NOTE', 'arg NOTE.id = 1']),
      let: 1,
      refused: { refused: true, code: 'arg_refused', status: 403, ran: false, receipt: /-/ },
      forged: { refused: true, status: 401 },
      redirect: { refused: false, message: /redirect/ },
      cookies: 'not sent',
      json: '{"client":{}}',
    })
    t.match(did, { answer: { next: String } }, 'the field with the cursor is told')
    t.equal(gateway.upstreams.arrived.filter((line) => line === 'GET /notes/2').length, 1)
    // The browser itself says why it did not let the page send its cookies.
    t.strictSame(
      watched.faults.filter((fault) => !fault.includes('credentials')),
      [],
    )
  })
})

const PAGE = '<!doctype html><title>a page of another origin</title><link rel="icon" href="data:,">'

const run = (page: Page, url: string, token: string) =>
  page.evaluate<unknown>(`(${SCRIPT})(${JSON.stringify(url)}, ${JSON.stringify(token)})`)

/** Serves these texts on a port of its own; it ends with the test. */
async function serve(t: Test, texts: Readonly<Record<string, string>>): Promise<string> {
  const server = createServer(({ url = '' }, res) => {
    const type = url.endsWith('.js') ? 'text/javascript' : 'text/html'
    res.setHeader('content-type', `${type}; charset=utf-8`).end(texts[url])
  })
  t.teardown(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
