import { default as t } from 'tap'
import { eventually, flowIn, KEY, type Setup, type TestGateway } from '../helpers/gateway.ts'
import { openHttpServer, type HttpServer } from '../helpers/mcp/http.ts'
import { PROGRAM } from '../helpers/mcp/program.ts'

/** A program takes its time to start on a machine that has much to do. */
const STARTED_MS = 30_000

interface Asked {
  readonly args?: object
  /** More members of the call. */
  readonly more?: object
  readonly signal?: AbortSignal
}

/** What a token can do at the doors of a gateway. */
function holder(gateway: TestGateway, token: string) {
  const base = `http://127.0.0.1:${gateway.proxyPort}`
  const headers = { authorization: `Bearer ${token}` }
  const json = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${base}${path}`, { headers, ...init })
    const body = (await answer.json()) as unknown
    return { status: answer.status, headers: answer.headers, body }
  }
  return {
    json,
    names: async () => (await json('/g/tools?light=1')).body as readonly string[],
    link: (path: string) => fetch(`${base}/g/${token}/run/${path}`),
    async call(tool: string, { args = {}, more, signal }: Asked = {}) {
      const body = JSON.stringify({ tool, args, ...more })
      const init = { method: 'POST', body, ...(signal && { signal }) }
      const answer = await json('/g/run', init)
      const receipt = gateway.receipt(answer.headers.get('receipt') ?? undefined)
      return { ...answer, receipt }
    },
  }
}

function setupOf(http: HttpServer): Setup {
  const key = { header: 'authorization', format: 'Token {}', secret: { env: 'FLOW_KEY' } }
  return {
    routes: [
      {
        name: 'tracker',
        hosts: [`127.0.0.1:${http.port}`],
        allow_private: ['127.0.0.0/8'],
        keys: [{ name: 'tracker-key', ...key }],
      },
    ],
    config: {
      mcp_servers: [
        {
          name: 'files',
          prefix: 'FILES',
          command: [process.execPath, PROGRAM],
          env: { MODE: 'ro' },
          secret_env: { TOKEN: { env: 'FLOW_KEY' } },
        },
        {
          name: 'tracker',
          prefix: 'TRACKER',
          url: `http://127.0.0.1:${http.port}/mcp`,
          key: 'tracker-key',
        },
      ],
    },
  }
}

t.test('the tools of MCP servers are rows like others', async (t) => {
  const http = await openHttpServer(t, `Token ${KEY}`)
  await flowIn(t, setupOf(http), async (t, gateway) => {
    const { call, names, json, link } = holder(gateway, gateway.mint('tools = *'))
    const listed = async () => {
      const rows = await names()
      return rows.includes('FILES_PAGE_249') && rows.includes('TRACKER_WHOAMI')
    }
    t.ok(await eventually(listed, STARTED_MS))

    await t.test('every page of a list is read', async (t) => {
      const rows = (await names()).filter((name) => name.startsWith('FILES_PAGE_'))
      t.equal(rows.length, 250)
    })

    await t.test('a call is answered in JSON, recorded, and cut down', async (t) => {
      const { status, body, receipt } = await call('FILES_READ', { args: { path: 'a/b' } })
      t.strictSame([status, body], [200, [{ type: 'text', text: 'of a/b' }]])
      t.match(receipt, {
        tool: 'FILES_READ',
        envelope: { args: { path: 'a/b' } },
        upstream: { method: 'POST', url: 'mcp://files/read' },
        outcome: 'allowed',
        ran: true,
        keys: 'mcp:files',
      })
      const whole = await call('FILES_STRUCTURED', { args: { n: 5 } })
      t.strictSame(whole.body, { rows: [{ id: 5 }, { id: 2 }] }, 'its structured content')
      const cut = await call('FILES_STRUCTURED', {
        more: { select: ['rows[].id'], order: ['id'], where: { id: 2 } },
      })
      t.strictSame(cut.body, { rows: [{ id: 2 }] })
      const { body: contract } = await json('/g/contracts/FILES_READ')
      t.match(contract, { binding: { url: 'mcp://files/read' }, bears: { paths: ['path'] } })
    })

    await t.test(
      'a program has the environment that it is given, and no secret comes back',
      async (t) => {
        const { body } = await call('FILES_ENV')
        const { MODE, TOKEN, PATH, HOME, FLOW_KEY } = body as Record<string, string>
        t.strictSame([MODE, HOME, FLOW_KEY], ['ro', undefined, undefined])
        t.equal(PATH, undefined, 'the gateway was started without one')
        t.match(TOKEN, /^\*+$/)
      },
    )

    await t.test('the key of a server is put in, and masked in what comes back', async (t) => {
      const { status, body, receipt } = await call('TRACKER_WHOAMI')
      t.equal(status, 200)
      t.match(body, [{ text: /^Token \*+$/ }])
      t.match(receipt, { keys: 'tracker-key', upstream: { url: 'mcp://tracker/whoami' } })
      t.equal(http.refused(), 0)
    })

    await t.test('a tool that fails is told from one that does not, in a batch too', async (t) => {
      const failed = await call('FILES_FAILS')
      t.strictSame([failed.status, failed.receipt?.ran], [422, true])
      const calls = [{ tool: 'FILES_FAILS' }, { tool: 'FILES_READ', args: { path: 'x' } }]
      const { body } = await json('/api/invoke-json', {
        method: 'POST',
        body: JSON.stringify(calls),
      })
      t.match(body, { results: [{ status: 422 }, { status: 200 }] })
    })

    await t.test('both engines judge arguments and areas', async (t) => {
      const { call } = holder(
        gateway,
        gateway.mint('tools = FILES_*', 'arg FILES_STRUCTURED.n <= 5', 'area = docs'),
      )
      t.equal((await call('FILES_STRUCTURED', { args: { n: 5 } })).status, 200)
      t.match(await call('FILES_STRUCTURED', { args: { n: 6 } }), {
        status: 403,
        body: { code: 'arg_refused', ran: false },
      })
      t.equal((await call('FILES_READ', { args: { path: 'docs/a' } })).status, 200)
      const outside = await call('FILES_READ', { args: { path: 'docs/../a' } })
      t.match(outside, { status: 403, body: { code: 'area_outside' } })
      t.match(await call('TRACKER_WHOAMI'), { body: { code: 'tool_not_granted' } })
      const ofPerson = holder(gateway, gateway.mint('keys = anna', 'tools = *'))
      const shared = await ofPerson.call('TRACKER_WHOAMI')
      t.match(shared, { body: { code: 'key_unavailable', ran: false } })
    })

    await t.test('what is no argument, or no number of a double, is not sent', async (t) => {
      const unknown = await call('FILES_READ', { args: { path: 'a', other: 1 } })
      t.match(unknown, { status: 400, body: { code: 'unknown_field', ran: false } })
      const token = gateway.mint('tools = *')
      const long = await holder(gateway, token).json('/g/run', {
        method: 'POST',
        body: '{"tool":"FILES_STRUCTURED","args":{"n":12345678901234567890}}',
      })
      t.match(long.body, { code: 'not_supported', ran: false })
    })

    await t.test('a link that is opened runs what reads alone', async (t) => {
      t.equal((await link('FILES_READ?path=a')).status, 200)
      t.equal((await link('FILES_STRUCTURED?n=1')).status, 405)
    })

    await t.test('a list that changes is in force at once', async (t) => {
      t.notOk((await names()).includes('FILES_EXTRA'))
      t.strictSame((await call('FILES_TOGGLES')).body, { extra: true })
      t.ok(await eventually(async () => (await names()).includes('FILES_EXTRA')))
      t.equal((await call('FILES_EXTRA')).status, 200)
      await call('FILES_TOGGLES')
      t.ok(await eventually(async () => !(await names()).includes('FILES_EXTRA')))
      t.match(await call('FILES_EXTRA'), { status: 404, body: { code: 'not_found' } })
      http.list(['whoami', 'added'])
      t.ok(await eventually(async () => (await names()).includes('TRACKER_ADDED')))
      t.notOk((await names()).includes('TRACKER_NO_JSON'))
    })

    const waited = async () => (await call('FILES_WAITED')).body as readonly string[]
    const running = (many: number) =>
      eventually(async () => (await waited()).filter((one) => one === 'running').length === many)

    await t.test('who goes, is late or loses the grant ends the call at the server', async (t) => {
      const gone = new AbortController()
      const leaving = call('FILES_WAITS', { signal: gone.signal })
      t.ok(await running(1))
      gone.abort()
      await t.rejects(leaving)
      t.ok(await running(0))

      const late = await call('FILES_WAITS', { more: { control: { timeout_ms: 500 } } })
      t.match(late, { status: 504, body: { ran: 'unknown' } })
      t.ok(await running(0))

      const token = gateway.mint('tools = FILES_WAITS')
      const revoked = holder(gateway, token).call('FILES_WAITS')
      t.ok(await running(1))
      const open = gateway.records().findLast(({ tool }) => tool === 'FILES_WAITS')
      gateway.revoke(String(open?.grant))
      t.match(await revoked, { status: 403, body: { code: 'revoked', ran: 'unknown' } })
      t.ok(await running(0))
      t.strictSame(await waited(), ['cancelled', 'cancelled', 'cancelled'])
    })

    await t.test('a program that dies in mid-call is started again for the next one', async (t) => {
      const died = await call('FILES_DIES')
      t.match(died, { status: 502, body: { code: 'upstream_failed', ran: 'unknown' } })
      t.equal((await call('FILES_READ', { args: { path: 'x' } })).status, 200)
    })

    await t.test('a use is given back where a call was not sent', async (t) => {
      const once = holder(gateway, gateway.mint('tools = TRACKER_WHOAMI', 'uses <= 1'))
      await http.stop()
      const unsent = await once.call('TRACKER_WHOAMI')
      t.match(unsent, { status: 502, body: { code: 'upstream_failed', ran: false } })
      t.ok((await names()).includes('TRACKER_WHOAMI'), 'its rows are those last known')
      await http.start()
      t.ok(await eventually(async () => (await once.call('TRACKER_WHOAMI')).status === 200))
      t.match(await once.call('TRACKER_WHOAMI'), { body: { code: 'uses_spent' } })
      const sent = http.calls().filter((name) => name === 'whoami')
      t.equal(sent.length, 2, 'one before, and one for the use')
    })
  })
})
