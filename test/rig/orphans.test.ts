import t from 'tap'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { createNetwork, networkUnavailable } from './netns.ts'
import { FROM_SOURCE } from '../helpers/from-source.ts'

const NETNS = new URL('netns.ts', import.meta.url).href

/** Makes a network with a program in it, and is killed before it can clean up. */
const VICTIM = `
import { spawn } from 'node:child_process'
const { createNetwork } = await import(${JSON.stringify(NETNS)})
const [program, ...args] = createNetwork().inside('client', ['sleep', '60'])
spawn(program, args, { stdio: 'ignore' }).on('spawn', () => console.log('ready'))
`

const why = networkUnavailable()

void t.test('a killed rig’s network goes with the next rig', { skip: why ?? false }, async (t) => {
  const victim = spawn(process.execPath, [FROM_SOURCE, '--input-type=module', '-e', VICTIM])
  await once(victim.stdout, 'data')
  victim.kill('SIGKILL')
  await once(victim, 'close')
  const left = (): string[] =>
    readdirSync('/run/netns').filter((name) => name.startsWith(`ngt${victim.pid}-`))
  t.equal(left().length, 3, 'it is left behind at first')
  createNetwork().remove()
  t.strictSame(existsSync('/run/netns') ? left() : [], [], 'and gone then')
})
