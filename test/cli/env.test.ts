import t from 'tap'
import { shell } from '../../cli/lab/shell.ts'
import { VARIABLES } from '../../sidecar/environment.ts'
import { openLab } from './lab.ts'
import { cleanEnv } from './process.ts'

t.test('env', async (t) => {
  const lab = await openLab((end) => t.teardown(end))
  const minted = await lab.run(['grant', 'mint', '--tools', 'HTTP_GET', '--expires', '1h'])
  const token = minted.stdout.trimEnd()

  await t.test('what it prints puts a shell behind the gateway', async (t) => {
    const { stdout: script } = await lab.run(['env', '--token', '-'], { input: `${token}\n` })
    const ran = await shell(`${script}\nnode client.mjs https://api.demo.test/ping`, {
      cwd: lab.folder,
      env: cleanEnv(),
    })
    t.equal(ran.stdout, 'pong', ran.stderr)
  })

  await t.test('JSON holds every variable, with the given token', async (t) => {
    const { stdout } = await lab.run(['env', '--token', token, '--format', 'json'])
    const variables = JSON.parse(stdout)
    t.strictSame(
      Object.keys(variables),
      VARIABLES.map(({ name }) => name),
    )
    t.equal(variables.HTTPS_PROXY, `http://agent:${token}@${lab.gateway.addresses.proxy}`)
  })

  await t.test('without a token it mints one from the run template', async (t) => {
    const { stdout } = await lab.run([
      'env',
      '--format',
      'compose',
      '--gateway',
      'http://10.0.0.5:3128',
    ])
    t.match(
      stdout,
      /^environment:\n {2}HTTPS_PROXY: "http:\/\/agent:g1\.[\w-]+\.[\w-]+@10\.0\.0\.5:3128"\n/,
    )
    const listed = await lab.run(['grant', 'list', '--json'])
    t.ok(JSON.parse(listed.stdout).some(({ by }: { by: string }) => by === 'env'))
  })
})
