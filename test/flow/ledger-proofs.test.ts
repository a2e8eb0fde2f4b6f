import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { statePaths } from '../../gateway/state/paths.ts'
import { run } from '../cli/in-process.ts'
import { flow, portOf } from '../helpers/gateway.ts'
import { askOwner } from '../helpers/owner.ts'
import { SHAPES } from '../helpers/shapes.ts'

const SCRIPT = fileURLToPath(new URL('../../verifier/verify.mjs', import.meta.url))

flow('a stranger checks what a gateway says it did', {}, async (t, gateway) => {
  const { state } = gateway
  const folder = mkdtempSync(join(tmpdir(), 'narrowgate-stranger-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const keep = (name: string, value: unknown) =>
    writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value))
  const owner = `http://127.0.0.1:${portOf(gateway.gateway.addresses.owner)}`
  const env = {
    PATH: process.env['PATH'],
    NARROWGATE_OWNER_KEY: readFileSync(statePaths(state).ownerKey, 'utf8').trim(),
  }
  const script = async (...args: readonly string[]) => {
    const child = spawn(process.execPath, [SCRIPT, ...args, '--key', 'key.vkey'], {
      cwd: folder,
      env,
    })
    const [out, [status]] = await Promise.all([text(child.stdout), once(child, 'close')])
    return { status, out }
  }
  const cli = (...args: readonly string[]) =>
    run(['ledger', ...args], { cwd: folder, env: { NARROWGATE_STATE: state } })

  const key = await cli('key')
  t.match(key.stdout, /^narrowgate\+[0-9a-f]{8}\+[\w+/]+=*\n$/)
  keep('key.vkey', key.stdout)
  const token = gateway.mint('tools = HTTP_*')
  const early = await gateway.ask(SHAPES[0], { token })
  t.equal(early.status, 200)
  const proof = async (id: string | undefined) =>
    askOwner(gateway, 'GET', `/api/ledger/proof/inclusion?receipt=${id}`)
  const first = await proof(early.header('receipt'))
  t.equal(first.status, 200, 'what was just done is proved at once')
  keep('first.json', first.body)
  keep('kept.txt', String(first.body['checkpoint']))

  for (const shape of SHAPES) {
    const got = await gateway.ask(shape, { token })
    const id = got.header('receipt')
    keep('proof.json', (await proof(id)).body)
    t.same(await script('inclusion', 'proof.json'), { status: 0, out: 'ok\n' }, shape)
    keep('receipt.json', (await askOwner(gateway, 'GET', `/ledger/exchanges/${id}.json`)).body)
    keep('head.txt', got.header('ledger-head') ?? '')
  }
  t.same(
    await script(
      'inclusion',
      `${owner}/api/ledger/proof/inclusion?receipt=${early.header('receipt')}`,
    ),
    { status: 0, out: 'ok\n' },
  )
  t.same(await script('consistency', 'kept.txt', owner), { status: 0, out: 'ok\n' })

  const latest = await askOwner(gateway, 'GET', '/api/ledger/checkpoint')
  t.match(latest.type, /^text\/plain/)
  const size = Number(String(first.body['checkpoint']).split('\n')[1])
  const again = await askOwner(gateway, 'GET', `/api/ledger/checkpoint?size=${size}`)
  t.equal(again.body['text'], first.body['checkpoint'], 'signed again it is the same')
  t.equal((await proof('nobody')).status, 404)
  t.equal((await askOwner(gateway, 'GET', '/api/ledger/checkpoint?size=999999')).status, 404)

  const heads = ['--head', readFileSync(join(folder, 'head.txt'), 'utf8')]
  const kept = ['--checkpoint', 'kept.txt', '--receipt', 'first.json', '--receipt', 'receipt.json']
  const own = await cli('verify', ...heads, ...kept)
  t.equal(own.exit, 0, own.stdout)
  t.match(own.stdout, /(\d+) of (\d+) records signed with the key/)
  const strangers = await script('log', join(state, 'ledger'), ...heads, ...kept)
  t.equal(strangers.status, 0, strangers.out)
  t.match(strangers.out, /\nok\n$/)
})
