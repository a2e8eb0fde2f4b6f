import { readFileSync, writeFileSync } from 'node:fs'
import { default as t } from 'tap'
import { startChild } from '../helpers/child.ts'
import { eventually } from '../helpers/gateway.ts'
import { PROGRAM } from '../helpers/mcp/program.ts'
import { filesIn } from './_canaries.ts'

/** A program takes its time to start on a machine that has much to do. */
const STARTED_MS = 30_000
const CANARY = 'canary/Of_a_program+4711=yes'

t.test('a secret of a program is nowhere but with it, and it ends with the gateway', async (t) => {
  const config = {
    mcp_servers: [
      {
        name: 'files',
        prefix: 'FILES',
        command: [process.execPath, PROGRAM],
        secret_env: { TOKEN: { env: 'CANARY' } },
      },
      { name: 'none', prefix: 'NONE', command: ['/no/such/program'] },
    ],
  }
  const gateway = await startChild(t, { config }, { env: { CANARY } })
  const headers = { authorization: `Bearer ${gateway.mint('tools = FILES_*')}` }
  const base = `http://127.0.0.1:${gateway.proxyPort}/g`
  const names = async () => await (await fetch(`${base}/tools?light=1`, { headers })).text()
  const call = async (tool: string) => {
    const body = JSON.stringify({ tool, args: {} })
    return (await fetch(`${base}/run`, { method: 'POST', headers, body })).text()
  }
  t.ok(await eventually(async () => (await names()).includes('FILES_ENV'), STARTED_MS))
  t.match(gateway.printed(), /"server":"none".*ENOENT/, 'one that is down holds nothing up')

  t.match(await (await fetch(`${base}/contracts/FILES_ENV`, { headers })).json(), {
    summary: /^with \*+$/,
  })
  t.match(JSON.parse(await call('FILES_ENV')), { TOKEN: /^\*+$/ })
  t.match(await call('FILES_SAYS'), /said/)
  t.ok(await eventually(async () => /"line":"the token is \*+"/.test(gateway.printed())))
  const pid = Number(await call('FILES_PID'))
  t.notMatch(readFileSync(`/proc/${pid}/cmdline`, 'utf8'), CANARY)
  t.match(readFileSync(`/proc/${pid}/environ`, 'utf8'), CANARY, 'it has it')
  const holding = () => filesIn(gateway.state, []).filter(({ text }) => text.includes(CANARY))
  t.strictSame(holding(), [])

  const text = readFileSync(gateway.configFile, 'utf8')
  writeFileSync(gateway.configFile, text.replace('prefix: FILES', 'prefix: OTHER'))
  gateway.process.kill('SIGHUP')
  t.ok(await eventually(async () => !isThere(pid)))
  t.notMatch(await names(), 'FILES_')
  const others = { authorization: `Bearer ${gateway.mint('tools = OTHER_PID')}` }
  const ask = async () =>
    fetch(`${base}/run`, { method: 'POST', headers: others, body: '{"tool":"OTHER_PID"}' })
  t.ok(await eventually(async () => (await ask()).status === 200, STARTED_MS))
  const next = Number(await (await ask()).text())
  t.ok(isThere(next))
  t.equal(await gateway.stop(), 0)
  t.notOk(isThere(next), 'it has ended with the gateway')
  t.strictSame(holding(), [])
  t.notMatch(gateway.printed(), CANARY)
})

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
