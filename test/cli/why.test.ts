import t from 'tap'
import { openLab } from './lab.ts'
import { run } from './in-process.ts'

t.test('why', async (t) => {
  const lab = await openLab((end) => t.teardown(end))
  const flags = ['--tools', 'HTTP_GET', '--uses', '2', '--arg', 'HTTP_GET.url_path prefix /pub']
  const { stdout } = await lab.run(['grant', 'mint', ...flags])
  const token = stdout.trimEnd()
  const why = (...args: readonly string[]) =>
    lab.run(['why', '-', ...args], { input: `${token}\n` })

  await t.test('a call that is let through, line by line', async (t) => {
    const { exit, stdout: text, stderr } = await why('GET', 'https://api.demo.test/pub/x')
    t.equal(exit, 0, stderr)
    t.match(text, /^allowed {2}HTTP_GET {2}grant \S+$/m)
    t.match(text, /^ {2}holds {5}tools = HTTP_GET {2,}\S/m)
    t.match(text, /^ {2}holds {5}uses <= 2 .*, 0 used$/m)
    t.notMatch(text, /refuses/)
  })

  await t.test('one that is not, with got and repair', async (t) => {
    const { exit, stdout: text } = await why('DELETE', 'https://api.demo.test/x')
    t.equal(exit, 1)
    t.match(text, /^refused tool_not_granted \(403\) {2}HTTP_DELETE/m)
    t.match(text, /^ {2}refuses {3}tools = HTTP_GET .*\n {12}got HTTP_DELETE; \S.*$/m)
    t.match(text, /^ {2}holds {5}arg HTTP_GET\.url_path/m, 'a line about something else holds')
  })

  await t.test('what no line refuses is told too', async (t) => {
    const { exit, stdout: text } = await why('GET', 'https://api.demo.test/%zz')
    t.equal(exit, 1)
    t.match(text, /^refused malformed_request \(400\)/)
    t.match(text, /^ {2}refuses {3}request: got target: .*; send an absolute/m)
  })

  await t.test('the lines in Cedar, formatted, with what each attribute reads', async (t) => {
    const { stdout: text } = await why('GET', 'https://api.demo.test/pub', '--cedar')
    t.match(text, /^permit \(principal, action, resource\)\nwhen$/m)
    t.match(text, /\["HTTP_GET"\]\.contains\(context\.x0\)/)
    t.match(text, /^x0 +tool$/m)
    t.notMatch((await why('GET', 'https://api.demo.test/pub')).stdout, /permit/)
  })

  await t.test('as JSON, and with the token as an argument', async (t) => {
    const args = ['GET', 'https://api.demo.test/pub', '--json']
    const { stdout: text } = await why(...args)
    const said = JSON.parse(text)
    t.match(said, { allowed: true, tool: 'HTTP_GET', args: { url_path: '/pub' } })
    t.notHas(said, 'cedar')
    t.equal((await lab.run(['why', token, ...args])).stdout, text)
    t.match(JSON.parse((await why(...args, '--cedar')).stdout).cedar, {
      policy: /^permit/,
      context: { x0: 'tool' },
    })
  })

  await t.test('headers and a body count', async (t) => {
    const asked = (want: string) =>
      why('GET', 'https://api.demo.test/pub', '--header', `want: ${want}`)
    t.equal((await asked('a,b')).exit, 0)
    const wrong = await asked('{"nope":1}')
    t.match(wrong, { exit: 1, stdout: /unknown_field/ })
    t.match(wrong.stdout, /^ {2}unjudged {2}tools = HTTP_GET/m, 'nobody asked for the lines')
    const bad = await why('GET', 'https://api.demo.test/pub', '--header', 'no colon')
    t.match(bad, { exit: 2, stderr: /header: got `no colon`/ })
  })

  await t.test('a forged token shows nothing of its payload', async (t) => {
    const input = `${token.slice(0, -6)}AAAAAA\n`
    const said = await lab.run(['why', '-', 'GET', 'https://api.demo.test/pub', '--json'], {
      input,
    })
    t.equal(said.exit, 1)
    t.match(JSON.parse(said.stdout), { allowed: false, code: 'token_forged', lines: [] })
    t.notMatch(said.stdout, 'HTTP_GET')
  })
})

t.test('without a state there is nothing to judge by', async (t) => {
  const args = ['why', 'g1.x', 'GET', 'https://a.test/', '--state', `${t.testdir()}/none`]
  t.match(await run(args), { exit: 69, stderr: /there is none/ })
})
