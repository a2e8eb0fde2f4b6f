import { PassThrough } from 'node:stream'
import { default as t } from 'tap'
import { createLines } from '../../../adapters/mcp/lines.ts'
import { createMcpConnect } from '../../../adapters/mcp/connect.ts'
import type { McpEvents } from '../../../adapters/mcp/port.ts'
import { eventually } from '../../helpers/eventually.ts'

const QUIET: McpEvents = { listChanged() {}, lost() {}, said() {} }

function connect(script: string, events: Partial<McpEvents> = {}) {
  const command = [process.execPath, '-e', script]
  const place = { kind: 'command', command, folder: '/', env: {} } as const
  const signal = AbortSignal.timeout(20_000)
  return createMcpConnect('0')(place, { ...QUIET, ...events }, signal)
}

t.test('what is no server is none, and leaves no process', async (t) => {
  await t.rejects(connect('process.exit(0)'))
  const missing = { kind: 'command', command: ['/no/such'], folder: '/', env: {} } as const
  const never = new AbortController().signal
  await t.rejects(createMcpConnect('0')(missing, QUIET, never), { message: /`ENOENT`/ })
})

t.test('a program that does not end is ended, and what it started with it', async (t) => {
  const stubborn = `
    process.on('SIGTERM', () => {})
    const { spawn } = require('node:child_process')
    const other = spawn('sleep', ['600'], { stdio: 'ignore' })
    process.stderr.write(process.pid + ' ' + other.pid + '\\n')
    process.stdin.on('data', (data) => {
      for (const line of String(data).split('\\n').filter(Boolean)) {
        const { id, method } = JSON.parse(line)
        if (method === 'server/discover')
          console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }))
        if (method === 'initialize')
          console.log(JSON.stringify({ jsonrpc: '2.0', id, result: {
            protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'a', version: '1' } } }))
      }
    })`
  let pids: readonly number[] = []
  const connection = await connect(stubborn, {
    said: (line) => (pids = line.split(' ').map(Number)),
  })
  t.ok(await eventually(async () => pids.length === 2))
  t.ok(pids.every(isThere))
  await connection.close()
  t.ok(await eventually(async () => !pids.some(isThere)))
})

t.test('lines are cut, and a flood of them is not passed on', async (t) => {
  const told: string[] = []
  const source = new PassThrough()
  createLines(source, (line) => told.push(line))
  source.write(`${'x'.repeat(5_000)}\nsecond`)
  source.write(' half\n\n')
  source.end('line\n'.repeat(1_000))
  t.ok(await eventually(async () => source.destroyed))
  t.strictSame([told[0]?.length, told[1]], [2_000, 'second half'])
  t.equal(told.length, 101)
  t.equal(told.at(-1), 'more lines within this minute are left out')
})

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
