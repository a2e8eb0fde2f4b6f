import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createCommandSender } from '../../../adapters/sender/command.ts'

const LINK = 'https://gate.test/g/g1.the-token'
const PARCEL = { link: LINK, to: 'alice; $(echo x)' }

function setUp(t: Test) {
  const folder = t.testdir({})
  const { PATH } = process.env
  return { folder, sender: createCommandSender({ env: { PATH }, folder }) }
}

t.test(
  'the link is one line of the input; neither it nor the receiver is an argument',
  async (t) => {
    const { folder, sender } = setUp(t)
    const script =
      'cat > link; printf "%s" "$NARROWGATE_TO" > to; tr "\\0" "\\n" < /proc/$$/cmdline > args'
    await sender.send(PARCEL, ['sh', '-c', script])
    const got = (name: string) => readFileSync(join(folder, name), 'utf8')
    t.equal(got('link'), `${LINK}\n`)
    t.equal(got('to'), PARCEL.to)
    t.notMatch(got('args'), 'the-token')
    t.notMatch(got('args'), 'alice')
  },
)

t.test('a failure tells how it ended, and nothing that was printed', async (t) => {
  const { folder, sender } = setUp(t)
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['sh', '-c', 'cat; cat >&2; exit 3'], /^command `sh`: exit code `3`$/],
    [['sh', '-c', 'kill -9 $$'], /^command `sh`: signal `SIGKILL`$/],
    [['./none'], /^command `\.\/none`: `ENOENT`$/],
  ]
  for (const [command, says] of cases)
    await t.rejects(sender.send(PARCEL, command), { message: says }, command.join(' '))
  writeFileSync(join(folder, 'not-a-program'), 'x')
  await t.rejects(sender.send(PARCEL, ['./not-a-program']), { message: /`EACCES`$/ })
})

t.test('a program that does not read its input may end well', async (t) => {
  await t.resolves(setUp(t).sender.send(PARCEL, ['true']))
})
