import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { narrowgate, start } from './process.ts'

t.test('run without a gateway starts one for its time, on a state that it makes', async (t) => {
  const cwd = t.testdir()
  const run = (...command: readonly string[]) =>
    narrowgate(['run', '--state', 'state', '--', ...command], { cwd })

  await t.test('the exit code is the command’s own', async (t) => {
    const ran = await run('sh', '-c', 'echo out; echo err >&2; exit 42')
    t.equal(ran.exit, 42, ran.stderr)
    t.equal(ran.stdout, 'out\n', 'stdout is the command’s alone')
    t.match(ran.stderr, /\nerr\n/)
    t.match(ran.stderr, /0 allowed, 0 refused, 0 failed · task T-run-/)
    t.ok(existsSync(join(cwd, 'state', 'build.key')))
  })

  await t.test('a signal is 128 and its number, and no such command 127', async (t) => {
    t.equal((await run('sh', '-c', 'kill -TERM $$')).exit, 143)
    const missing = await run('no-such-program-here')
    t.equal(missing.exit, 127)
    t.match(missing.stderr, /`no-such-program-here` was not found/)
  })

  await t.test(
    'a signal to run goes to the command, and the summary is still written',
    async (t) => {
      const script = 'trap "echo caught; exit 9" TERM; echo ready; while :; do sleep 0.05; done'
      const child = start(['run', '--state', 'state', '--', 'sh', '-c', script], { cwd })
      let stdout = ''
      let stderr = ''
      child.stderr?.on('data', (chunk) => (stderr += String(chunk)))
      child.stdout?.on('data', (chunk) => {
        stdout += String(chunk)
        if (stdout === 'ready\n') child.kill('SIGTERM')
      })
      const exit = await new Promise((resolve) => child.once('close', resolve))
      t.equal(exit, 9)
      t.match(stdout, 'caught')
      t.match(stderr, /narrowgate: 0 allowed/)
    },
  )
})
