import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import t from 'tap'
import type { SecretSource } from '../../../adapters/keys/port.ts'
import { createSecretReader } from '../../../adapters/keys/reader.ts'

const VALUE = 'sk-0123456789abcdef'
const node = process.execPath

const folder = t.testdir({})
const file = (name: string, text: string, mode: number) => {
  writeFileSync(join(folder, name), text)
  chmodSync(join(folder, name), mode)
  return name
}
const reader = createSecretReader({
  env: { GITHUB_KEY: VALUE, EMPTY: '', PATH: process.env['PATH'] },
  baseFolder: folder,
})

const read = async (source: SecretSource) => (await reader.read('github', source)).reveal()

/** The whole of the error, as a crash would print it. */
async function errorOf(source: SecretSource): Promise<string> {
  return read(source).then(
    () => 'none',
    (error: unknown) => inspect(error, { depth: 9, showHidden: true }),
  )
}

t.test('from the environment', async (t) => {
  t.equal(await read({ env: 'GITHUB_KEY' }), VALUE)
  t.match(await errorOf({ env: 'NONE' }), /secret github: variable `NONE` is not set; /)
  t.match(await errorOf({ env: 'EMPTY' }), /variable `EMPTY` is empty; /)
})

t.test('from a file, without its last newline alone', async (t) => {
  t.equal(await read({ file: file('a', `${VALUE}\n`, 0o600) }), VALUE)
  t.equal(await read({ file: join(folder, file('b', ` ${VALUE} \r\n`, 0o640)) }), ` ${VALUE} `)
  t.equal(await read({ file: file('c', `${VALUE}\n\n`, 0o400) }), `${VALUE}\n`)
})

t.test('a file that everybody can read is refused', async (t) => {
  const text = await errorOf({ file: file('open', VALUE, 0o644) })
  t.match(text, /open` can be read by everybody, mode `0644`; make it 0600/)
  t.notMatch(text, VALUE)
  t.match(await errorOf({ file: 'none' }), /none` can not be read, `ENOENT`; /)
  t.match(await errorOf({ file: file('empty', '\n', 0o600) }), /`empty` is empty; /)
  t.match(await errorOf({ file: file('big', 'x'.repeat(70_000), 0o600) }), /`70000` bytes; /)
})

t.test('from a command, without a shell', async (t) => {
  t.equal(await read({ command: [node, '-p', `' ${VALUE} '`] }), VALUE)
  t.equal(await read({ command: [node, '-p', 'process.argv[1]', '$(id) ; `id`'] }), '$(id) ; `id`')
  t.equal(
    await read({ command: [node, '-p', 'process.cwd() === process.argv[1]', folder] }),
    'true',
  )
  t.equal(await read({ command: [node, '-p', 'process.env.GITHUB_KEY'] }), VALUE)
})

t.test('a command that fails shows how, never what it said', async (t) => {
  const said = `console.log('${VALUE.slice(0, 8)}' + '${VALUE.slice(8)}'); console.error(process.env.GITHUB_KEY);`
  const failed = await errorOf({ command: [node, '-e', `${said} process.exitCode = 3`] })
  t.match(failed, /failed, `exit code 3`; /)
  t.notMatch(failed, VALUE)
  t.match(await errorOf({ command: ['no-such-program'] }), /`no-such-program` failed, `ENOENT`; /)
  t.match(await errorOf({ command: [node, '-e', ''] }), /is empty; /)
  const killed = await errorOf({
    command: [node, '-e', 'process.kill(process.pid, "SIGTERM"); setTimeout(() => {}, 9e3)'],
  })
  t.match(killed, /`signal SIGTERM`/)
  const long = await errorOf({
    command: [node, '-e', `process.stdout.write('${VALUE}'.repeat(9000))`],
  })
  t.match(long, /ERR_CHILD_PROCESS_STDIO_MAXBUFFER/)
  t.notMatch(long, VALUE)
})
