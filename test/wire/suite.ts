import t from 'tap'
import type { Test } from 'tap'
import { flowIn } from '../helpers/gateway.ts'
import type { Setup, TestGateway } from '../helpers/gateway.ts'
import { HOST } from '../helpers/shapes.ts'
import { ENGINES } from './engines.ts'
import { readMessage, valuesOf } from './message.ts'
import { WIRES } from './probe.ts'
import type { Broken, Passed, Probe, Refused, Wire } from './probe.ts'
import { openRecorder } from './recorder.ts'
import type { Answering, Recorder } from './recorder.ts'
import { converse, fill, openWire } from './wires.ts'
import type { Client, Seen } from './wires.ts'

/** A gateway with the recording upstream behind it. */
export interface Bench extends Client {
  readonly gateway: TestGateway
  readonly recorder: Recorder
}

export interface BenchOptions {
  /** Done before anything is started; what it undoes it undoes at the test's end. */
  readonly first?: (t: Test) => void
  readonly answer?: Answering
  /** More members of the configuration. */
  readonly config?: object
  /** Rows of the catalog, and files beside the configuration. */
  readonly beside?: Pick<Setup, 'rows' | 'files'>
  /** More members of the upstream of this name. */
  readonly upstream?: (name: string) => object
  /** More upstreams. */
  readonly routes?: (recorder: Recorder) => readonly object[]
}

/** Runs a test once on each engine, each time with a gateway and a recorder of its own. */
export function wire(
  name: string,
  body: (t: Test, bench: Bench) => Promise<void>,
  options: BenchOptions = {},
): void {
  for (const engine of ENGINES)
    t.test(`${engine.name}: ${name}`, async (t) => {
      options.first?.(t)
      const recorder = await openRecorder(t, options.answer)
      const config = {
        ...configOf(recorder, options),
        limits: { drain_ms: 200 },
        ...options.config,
        ...engine.config,
      }
      await flowIn(t, { ...options.beside, config }, (t, gateway) =>
        body(t, { gateway, recorder, reach: gateway, token: gateway.mint('tools = HTTP_*') }),
      )
    })
}

function configOf(
  recorder: Recorder,
  { upstream = () => ({}), routes = () => [] }: BenchOptions,
): object {
  const { plainPort, securePort, caFile } = recorder
  return {
    upstreams: [
      {
        ...upstream('plain'),
        name: 'plain',
        hosts: [`${HOST}:80`],
        address: `127.0.0.1:${plainPort}`,
      },
      {
        ...upstream('secure'),
        name: 'secure',
        hosts: [`${HOST}:443`],
        address: `127.0.0.1:${securePort}`,
        ca: [caFile],
      },
      ...routes(recorder),
    ],
  }
}

/** Behind every refused probe lies another request: whoever is misled by the first one lets it through. */
const FOLLOWER = `GET $AT/smuggled-$ID HTTP/1.1\r\nHost: $HOST\r\n$OWN\r\n`

/** A hang is a failure of its own, told after so long. */
const PATIENCE_MS = 8_000
const AT_ONCE = 24

/** Sends every probe in every shape: a refusal, the end of the connection, and not a byte at the upstream. */
export async function runRefused(t: Test, bench: Bench, probes: readonly Refused[]): Promise<void> {
  const before = bench.recorder.connections.length
  await eachProbe(t, probes, async (probe, shape, id) => {
    const { status = 400, code = 'malformed_request', servesOn = false } = probe
    const bytes = probe.bytes + (servesOn ? '' : FOLLOWER)
    const seen = await sendOn(bench, shape, { bytes, id, one: servesOn })
    return [verdictOf(seen), { status, code, answers: 1, closed: !servesOn, document: true }]
  })
  const reached = bench.recorder.connections.slice(before).map(({ bytes }) => bytes)
  t.same(reached, [], 'the upstream was not even dialled')
}

/** Sends every probe in every shape: success, and exactly what it says at the upstream. */
export async function runPassed(t: Test, bench: Bench, probes: readonly Passed[]): Promise<void> {
  await eachProbe(t, probes, async (probe, shape, id) => [
    await passOn(bench, probe, { shape, id }),
    wantedOf(probe, { shape, id }),
  ])
}

interface Place {
  readonly shape: Wire
  readonly id: string
}

async function passOn(bench: Bench, { bytes }: Passed, { shape, id }: Place) {
  const { status } = verdictOf(await sendOn(bench, shape, { bytes, id, one: true }))
  return { status, requests: arrivedOf(bench.recorder, id) }
}

function wantedOf({ lines, body = '', framing = 'none' }: Passed, { shape, id }: Place) {
  const expected = lines.map((line) => line.replaceAll('$ID', id))
  return {
    status: shape === 'ws' || shape === 'wss' ? 101 : 200,
    requests: [{ lines: expected, body, framing, whole: true }],
  }
}

/** Sends every probe in every shape: either it is refused, or what goes on is exactly what it says. */
export async function runSloppy(t: Test, bench: Bench, probes: readonly Passed[]): Promise<void> {
  await eachProbe(t, probes, async (probe, shape, id) => {
    const { status, requests } = await passOn(bench, probe, { shape, id })
    return status === 400 ? [requests, []] : [{ status, requests }, wantedOf(probe, { shape, id })]
  })
}

/** Sends every probe in every shape: never success, and never a whole request at the upstream. */
export async function runBroken(t: Test, bench: Bench, probes: readonly Broken[]): Promise<void> {
  await eachProbe(t, probes, async (probe, shape, id) => {
    const seen = await sendOn(bench, shape, { bytes: probe.bytes + FOLLOWER, id, one: false })
    const whole = bench.recorder.holding(id).flatMap(({ requests }) => requests)
    const { status, answers, closed } = verdictOf(seen)
    return [
      { refused: answers === 1 && (status === 400 || status === 431), closed, whole: whole.length },
      { refused: true, closed: true, whole: 0 },
    ]
  })
}

type Compare = readonly [found: unknown, wanted: unknown]

async function eachProbe<P extends Probe>(
  t: Test,
  probes: readonly P[],
  run: (probe: P, shape: Wire, id: string) => Promise<Compare>,
): Promise<void> {
  const work = probes.flatMap((probe, row) =>
    (probe.on ?? WIRES).map((shape) => ({ probe, shape, id: `p${row}-${shape}-` })),
  )
  const results = new Map<P, [found: Record<string, unknown>, wanted: Record<string, unknown>]>()
  for (const probe of probes) results.set(probe, [{}, {}])
  const queue = [...work]
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { probe, shape, id } = next
      const [found, wanted] = await run(probe, shape, id).catch((error: unknown) => [error, 'none'])
      const [allFound, allWanted] = results.get(probe)!
      allFound[shape] = found
      allWanted[shape] = wanted
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  for (const [{ name }, [found, wanted]] of results) t.same(found, wanted, name)
}

interface Sending {
  readonly bytes: string
  readonly id: string
  /** Whether one whole answer is enough. */
  readonly one: boolean
}

async function sendOn(bench: Bench, shape: Wire, { bytes, id, one }: Sending): Promise<Seen> {
  const socket = await openWire(shape, bench)
  const enough = one ? (text: string) => readAnswers(text).length > 0 : () => false
  return converse(socket, fill(shape, bench.token, { bytes, id }), { ms: PATIENCE_MS, enough })
}

export interface Verdict {
  readonly status: number
  readonly code: string | undefined
  readonly answers: number
  readonly closed: boolean
  /** Whether the answer is a problem document that says the same as its head. */
  readonly document: boolean
}

/** Reads the first answer of a conversation, and says how it ended. */
export function verdictOf({ text, closed }: Seen): Verdict {
  const answers = readAnswers(text)
  const [answer] = answers
  if (answer === undefined)
    return { status: 0, code: undefined, answers: 0, closed, document: false }
  const status = Number(answer.first.slice(9, 12))
  const [code] = valuesOf(answer.fields, 'refused')
  return { status, code, answers: answers.length, closed, document: isProblem(answer, status) }
}

function isProblem({ fields, body }: { fields: readonly string[]; body: string }, status: number) {
  const [type] = valuesOf(fields, 'content-type')
  const [code] = valuesOf(fields, 'refused')
  if (type !== 'application/problem+json' || code === undefined) return false
  const document = JSON.parse(body) as Record<string, unknown>
  const reasons = document['reasons'] as readonly object[]
  return (
    document['code'] === code &&
    document['status'] === status &&
    document['refused'] === true &&
    document['ran'] === false &&
    reasons.length > 0 &&
    reasons.every((reason) => 'axis' in reason && 'got' in reason && 'repair' in reason)
  )
}

function readAnswers(text: string) {
  const answers = []
  for (let message = readMessage(text); message; message = readMessage(message.rest))
    answers.push(message)
  return answers
}

// Of the hop, or of the framing, which is compared apart.
const HOP = /^(?:connection|content-length|transfer-encoding|upgrade|sec-websocket-\w+):/i

/** The requests that reached the upstream with this text in their first line. */
export function arrivedOf(recorder: Recorder, id: string): readonly object[] {
  return recorder.holding(id).flatMap(({ requests, fault }) =>
    requests
      .filter(({ first }) => first.includes(id))
      .map(({ first, fields, body, framing, rest }) => ({
        lines: [first, ...fields.filter((line) => !HOP.test(line))],
        body,
        framing,
        whole: fault === undefined && rest === '',
      })),
  )
}
