import t from 'tap'
import { SpawnFault, runCommand } from '../../sidecar/runner.ts'

const env = { PATH: process.env['PATH'] }
const quiet = { env, stdio: 'ignore' } as const

t.test('the exit code is the command’s own', async (t) => {
  t.equal(await runCommand(['sh', '-c', 'exit 0'], quiet), 0)
  t.equal(await runCommand(['sh', '-c', 'exit 42'], quiet), 42)
  t.equal(await runCommand(['sh', '-c', 'exit 255'], quiet), 255)
})

t.test('a command that a signal ended is 128 and its number', async (t) => {
  t.equal(await runCommand(['sh', '-c', 'kill -TERM $$'], quiet), 143)
  t.equal(await runCommand(['sh', '-c', 'kill -KILL $$'], quiet), 137)
})

t.test('a signal to us goes to the command', async (t) => {
  const before = process.listenerCount('SIGUSR2')
  const ended = runCommand(['sh', '-c', 'trap "exit 7" USR2; while :; do sleep 0.05; done'], quiet)
  setTimeout(() => process.kill(process.pid, 'SIGUSR2'), 300)
  t.equal(await ended, 7)
  t.equal(process.listenerCount('SIGUSR2'), before, 'and no listener is left')
})

t.test('a command that cannot be started says why, with the shell’s codes', async (t) => {
  await t.rejects(
    runCommand(['no-such-program-here'], quiet),
    new SpawnFault('no-such-program-here', 'ENOENT'),
  )
  t.equal(new SpawnFault('x', 'ENOENT').exit, 127)
  t.equal(new SpawnFault('x', 'EACCES').exit, 126)
})
