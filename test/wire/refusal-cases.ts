import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import type { Test } from 'tap'
import { ERRORS } from '../../gateway/errors.ts'
import { unsafeReadToken } from '../../policy/index.ts'
import { forge } from '../helpers/forge.ts'
import { eventually } from '../helpers/gateway.ts'
import type { TestGateway } from '../helpers/gateway.ts'
import { formOf, wantedForm } from '../helpers/refusal-form.ts'
import type { Answered, Wanted } from '../helpers/refusal-form.ts'
import { basic, HOST, MOUNT, openTls, openTunnel, SHAPES } from '../helpers/shapes.ts'
import type { Asked, Reach, Shape } from '../helpers/shapes.ts'
import { readAnswer } from './answer.ts'
import { valuesOf } from './message.ts'
import type { Bench } from './suite.ts'
import { converse, openTcp, UPGRADE } from './wires.ts'

/** A call that is refused, and how. */
export interface Case extends Wanted {
  /** Lines of the token. */
  readonly lines?: readonly string[]
  /** Another token than one that was minted with the lines; null for none. */
  readonly token?: string | null
  /** Lines that nobody would mint, signed with the gateway's own build key. */
  readonly forged?: readonly string[]
  readonly asked?: Omit<Asked, 'token'>
  /** Of a CONNECT: another target than the two of `HOST`, and more fields. */
  readonly connect?: { readonly target?: string; readonly fields?: string }
  /** What happens to the token before the call. */
  readonly before?: (gateway: TestGateway, token: string) => Promise<void>
  readonly on?: readonly Shape[]
}

export const FREE = ['tools = HTTP_*']
export const NAMING: readonly Shape[] = ['absolute', 'tunnel-h1', 'tunnel-h2', 'tunnel-clear']
/** Inside a tunnel the credential was judged with the CONNECT. */
export const DIRECT: readonly Shape[] = ['absolute', 'mount']
/** A WebSocket over HTTP/2 is not served. */
export const UPGRADES = SHAPES.filter((shape) => shape !== 'tunnel-h2')
const PATIENCE_MS = 8_000

/** Calls with each case in every shape that can carry it. */
export async function refuseCalls(t: Test, bench: Bench, cases: readonly Case[]): Promise<void> {
  for (const each of cases)
    for (const shape of each.on ?? SHAPES) {
      const token = await tokenOf(bench.gateway, each)
      const got = await bench.gateway.ask(shape, { token, ...each.asked })
      assertForm(t, bench, { each, got, shape })
    }
}

/** The same, asking for a WebSocket; what a GET without a body cannot carry is left out. */
export async function refuseUpgrades(t: Test, bench: Bench, cases: readonly Case[]): Promise<void> {
  for (const each of cases.filter(({ asked }) => asked?.body === undefined))
    for (const shape of UPGRADES.filter((one) => (each.on ?? SHAPES).includes(one))) {
      const token = await tokenOf(bench.gateway, each)
      const got = await upgradeIn(shape, bench.reach, { token, ...each.asked })
      assertForm(t, bench, { each, got, shape, name: `upgrade, ${shape}` })
    }
}

/** Opens a tunnel with the token of each case, to a port of clear text and to one of TLS. */
export async function refuseConnects(t: Test, bench: Bench, cases: readonly Case[]): Promise<void> {
  for (const each of cases) {
    const { target, fields = '' } = each.connect ?? {}
    for (const to of target === undefined ? [`${HOST}:80`, `${HOST}:443`] : [target]) {
      const own = proxyFields(await tokenOf(bench.gateway, each))
      const bytes = `CONNECT ${to} HTTP/1.1\r\nHost: ${HOST}\r\n${own}${fields}\r\n`
      const got = await answerTo(await openTcp(bench.reach.proxyPort), bytes)
      assertForm(t, bench, { each, got, shape: 'absolute', name: `CONNECT ${to}` })
    }
  }
}

/** The credential of a request to the proxy. */
export function proxyFields(token: string | undefined): string {
  return token === undefined ? '' : `Proxy-Authorization: ${basic(`agent:${token}`)}\r\n`
}

interface Refusing {
  readonly each: Case
  readonly got: Answered
  readonly shape: Shape
  readonly name?: string
}

/** Asserts what a client reads in a refusal, and that the ledger says the same. */
export function assertForm(
  t: Test,
  { gateway }: Bench,
  { each, got, shape, name }: Refusing,
): void {
  const { code, ran = false, receipt = true } = each
  const status = each.status ?? ERRORS[code].status
  const wanted = { ...each, status: status === 401 && shape === 'absolute' ? 407 : status }
  t.same(formOf(got), wantedForm(wanted), `${name ?? shape}: ${code}`)
  const record = gateway.receipt(got.header('receipt'))
  t.same([record?.code, record?.ran], receipt ? [code, ran] : [undefined, undefined], 'its receipt')
}

async function tokenOf(gateway: TestGateway, each: Case): Promise<string | undefined> {
  if (each.token === null) return undefined
  const { lines = FREE, forged, before } = each
  const token =
    each.token ??
    (forged === undefined ? gateway.mint(...lines) : forge(buildKeyOf(gateway), 'made', forged))
  await before?.(gateway, token)
  return token
}

function buildKeyOf({ state }: TestGateway): string {
  return readFileSync(`${state}/build.key`, 'utf8').trim()
}

/** Ends the token's grant. */
export function revokeFirst(gateway: TestGateway, token: string): Promise<void> {
  return revokeAndSee(gateway, token, unsafeReadToken(token).id)
}

/** Ends the token's last link alone, which a receipt names. */
export async function revokeLinkFirst(gateway: TestGateway, token: string): Promise<void> {
  const got = await gateway.ask('absolute', { token })
  const link = gateway.receipt(got.header('receipt'))?.['link']
  if (typeof link !== 'string') throw new Error(`no link in the receipt of ${got.text}`)
  await revokeAndSee(gateway, token, link)
}

async function revokeAndSee(gateway: TestGateway, token: string, idOrLink: string) {
  gateway.revoke(idOrLink)
  const seen = async () =>
    (await gateway.ask('absolute', { token })).header('refused') === 'revoked'
  if (!(await eventually(seen))) throw new Error('the gateway never saw the revocation')
}

/** Makes a call that passes. */
export async function callFirst(gateway: TestGateway, token: string): Promise<void> {
  const { status, text } = await gateway.ask('absolute', { token })
  if (status !== 200) throw new Error(`the first call was not let through: ${text}`)
}

/** Sends a request for a WebSocket in this shape, and reads the answer that comes in its place. */
export async function upgradeIn(shape: Shape, reach: Reach, asked: Asked): Promise<Answered> {
  const { token, path = '/', host = HOST, headers = {} } = asked
  const bearer = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`
  const own = { absolute: proxyFields(token), mount: bearer }[shape as string]
  const target = { absolute: `http://${host}${path}`, mount: MOUNT + path }[shape as string]
  const { host: named = shape === 'mount' ? 'gateway.test' : host, ...rest } = headers
  const fields = Object.entries(rest).map(([name, value]) => `${name}: ${value}\r\n`)
  const first = `GET ${target ?? path} HTTP/1.1\r\nHost: ${named}\r\n`
  const socket = await socketIn(shape, reach, asked)
  return answerTo(socket, `${first}${own ?? ''}${UPGRADE}${fields.join('')}\r\n`)
}

async function socketIn(shape: Shape, reach: Reach, asked: Asked): Promise<Socket> {
  const { token, host = HOST } = asked
  if (shape === 'tunnel-h1') return openTls(reach, { token, host }, 'http/1.1')
  if (shape === 'tunnel-clear') return openTunnel(reach, token, `${host}:80`)
  return openTcp(reach.proxyPort)
}

/** Sends bytes and reads the one answer to them. */
export async function answerTo(socket: Socket, bytes: string): Promise<Answered> {
  const read = (text: string, closed: boolean) => readAnswer(text, { method: 'GET', closed })
  const enough = (text: string) => read(text, false) !== undefined
  const { text, closed } = await converse(socket, bytes, { ms: PATIENCE_MS, enough })
  const answer = read(text, closed)
  if (answer === undefined) throw new Error(`no answer: ${text}`)
  return {
    status: Number(answer.first.slice(9, 12)),
    header: (name) => valuesOf(answer.fields, name)[0],
    text: Buffer.from(answer.body, 'latin1').toString('utf8'),
  }
}
