import { onPath } from '../doctor/programs.ts'
import { LAB_HOST, type Lab } from '../lab/lab.ts'
import type { Terminal } from '../terminal.ts'
import type { Teller } from './teller.ts'

type Step = (teller: Teller, lab: Lab) => Promise<void>

const URL = `https://${LAB_HOST}`

async function keyInjected(client: string, teller: Teller, lab: Lab): Promise<void> {
  teller.step('An allowed call: the gateway puts the key in, the agent never has it')
  const { stdout, stderr } = await teller.command(
    `narrowgate run --tools HTTP_GET --expires 10m -- ${client} ${URL}/me`,
  )
  const heard = lab.api.heard.at(-1)
  teller.check(stdout.includes('"key_received":true'), 'the API received a key')
  teller.check(
    heard?.authorization === `Bearer ${lab.key}`,
    'and it is the operator’s, from demo.key',
  )
  teller.check(
    !`${stdout}${stderr}`.includes(lab.key) &&
      heard?.fields.includes('proxy-authorization') === false,
    'the agent saw no key, and the API saw no token',
  )
}

async function cutDown(client: string, teller: Teller): Promise<void> {
  const heads = client.startsWith('curl') ? '-i --suppress-connect-headers' : '-i'
  teller.step('The same API, a large answer: cut down at the gateway to what was asked for')
  const want =
    '{"select":["number","title","user.login"],"where":{"state":"open"},"page":{"limit":3}}'
  const { stdout } = await teller.command(
    `narrowgate run --tools HTTP_GET -- ${client} ${heads} -H 'want: ${want}' ${URL}/issues`,
    { quiet: true },
  )
  const [, before = '?', after = '?'] = /^projected: (\d+)->(\d+)/im.exec(stdout) ?? []
  teller.check(
    /^projected:/im.test(stdout),
    `${before} bytes came from the API, ${after} reached the agent`,
  )
}

type Reason = Readonly<Record<'caveat' | 'got' | 'repair', string>>

/** The reasons of a refusal, as the answer gives them. */
function reasonsOf(answer: string): readonly Reason[] {
  try {
    const { reasons } = JSON.parse(answer)
    return Array.isArray(reasons) ? reasons : []
  } catch {
    return []
  }
}

async function refused(client: string, teller: Teller, lab: Lab): Promise<void> {
  teller.step('A refused call: every reason, and what to ask for')
  const { stdout } = await teller.command(
    `narrowgate run --tools HTTP_GET -- ${client} -X DELETE ${URL}/issues/7`,
  )
  for (const { caveat, got, repair } of reasonsOf(stdout)) {
    teller.say(`got     ${got}, where the token says: ${caveat}`)
    teller.say(`repair  ${repair}`)
  }
  teller.check(stdout.includes('tool_not_granted'), 'the answer names every reason and its repair')
  const reached = lab.api.heard.some(({ method }) => method === 'DELETE')
  teller.check(!reached, 'and the API heard nothing of it')
}

async function narrowed(client: string, teller: Teller): Promise<void> {
  teller.step('A token narrowed by its holder, offline: it can only ever do less')
  const { stdout: token } = await teller.command(
    "narrowgate grant mint --tools 'HTTP_*' --expires 1h --task T-demo 2>/dev/null > token.txt; cut -c 1-40 token.txt",
  )
  teller.check(
    token.startsWith('g1.'),
    'a token for a task (its beginning is shown, it is a credential)',
  )
  await teller.command(
    "narrowgate grant narrow - 'tools = HTTP_GET' 'arg HTTP_GET.url_path prefix /me' 'uses <= 2' < token.txt > narrow.txt",
  )
  await teller.command('narrowgate grant show - < narrow.txt')
  const { stdout } = await teller.command(
    `eval "$(narrowgate env --token - < narrow.txt)"; ${client} ${URL}/me; echo; ${client} ${URL}/issues`,
  )
  teller.check(stdout.includes('"key_received":true'), 'what it still grants works')
  teller.check(stdout.includes('arg_refused'), 'what was narrowed away is refused')
}

async function receipts(teller: Teller): Promise<void> {
  teller.step('The receipts: one for every touch, in a log that a stranger can verify')
  const { stdout } = await teller.command('narrowgate ledger list')
  const rows = stdout.trim().split('\n').length - 1
  teller.check(rows === 5, `${rows} receipts for 5 calls`)
  const { exit } = await teller.command('narrowgate ledger verify')
  teller.check(exit === 0, 'every hash of the log fits')
}

async function whereToLook(teller: Teller, lab: Lab): Promise<void> {
  teller.step('Where to look')
  teller.say(`All of it ran in ${lab.folder}, which is removed now.`)
  teller.say('For your own:  narrowgate serve              then, in another shell:')
  teller.say('               narrowgate run -- curl https://example.com')
  teller.say('               narrowgate ledger tail')
  teller.say('               narrowgate doctor')
}

/** curl, or a client in Node where there is none. */
export function clientOf(env: Terminal['env']): string {
  return onPath('curl', env) ? 'curl -s' : 'node client.mjs'
}

/** The steps of the demonstration, in their order. */
export function demoSteps(env: Terminal['env']): readonly Step[] {
  const client = clientOf(env)
  return [
    (teller, lab) => keyInjected(client, teller, lab),
    (teller) => cutDown(client, teller),
    (teller, lab) => refused(client, teller, lab),
    (teller) => narrowed(client, teller),
    receipts,
    whereToLook,
  ]
}
