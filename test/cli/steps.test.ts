import { PassThrough } from 'node:stream'
import t from 'tap'
import { createSteps } from '../../cli/steps.ts'
import { createScreen } from '../../cli/terminal.ts'

/** What is written while two steps are taken. */
function written(stream: PassThrough & { isTTY?: boolean }, env: Record<string, string>): string {
  const steps = createSteps(createScreen(stream, env), ['read', 'write'])
  steps.next()
  for (let part = 0; part <= 1000; part++) steps.part(part, 1000)
  steps.next()
  steps.part(0, 0)
  steps.done()
  return String(stream.read())
}

t.test('a terminal shows a bar that grows, and is left clean', async (t) => {
  const text = written(Object.assign(new PassThrough(), { isTTY: true }), {})
  const bars = text.split('\r\u001B[K').slice(1)
  t.same(bars.slice(0, 2), [`${'░'.repeat(20)} read`, `█${'░'.repeat(19)} read`])
  t.same(bars.slice(-3), [
    `${'█'.repeat(10)}${'░'.repeat(10)} read`,
    `${'█'.repeat(10)}${'░'.repeat(10)} write`,
    '',
  ])
  t.equal(bars.length, 13, 'drawn again only where it changes')
})

t.test('anything else gets a line for each step', async (t) => {
  t.equal(written(new PassThrough(), {}), '1/2 read\n2/2 write\n')
  const quiet = Object.assign(new PassThrough(), { isTTY: true })
  t.equal(written(quiet, { NO_COLOR: '1' }), '1/2 read\n2/2 write\n')
})
