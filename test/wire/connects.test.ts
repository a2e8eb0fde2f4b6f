import type { Test } from 'tap'
import { basic } from '../helpers/shapes.ts'
import type { Refused } from './probe.ts'
import { AUTHORITIES, CONNECTS } from './probes/connects.ts'
import { verdictOf, wire } from './suite.ts'
import type { Bench } from './suite.ts'
import { converse, openTcp } from './wires.ts'

const FOLLOWER = 'GET http://api.test/smuggled HTTP/1.1\r\nHost: api.test\r\n'

async function runConnects(t: Test, bench: Bench, probes: readonly Refused[]): Promise<void> {
  const auth = `Proxy-Authorization: ${basic(`agent:${bench.token}`)}\r\n`
  for (const { name, bytes } of probes) {
    const socket = await openTcp(bench.reach.proxyPort)
    const sent = `${bytes}${FOLLOWER}$AUTH\r\n`.replaceAll('$AUTH', auth)
    const verdict = verdictOf(await converse(socket, sent, { ms: 8_000 }))
    const refused = { status: 400, code: 'malformed_request', answers: 1, closed: true }
    t.match(verdict, { ...refused, document: true }, name)
  }
  t.same(bench.recorder.connections, [], 'nothing was dialled')
}

wire('authorities', (t, bench) => runConnects(t, bench, AUTHORITIES))
wire('heads of CONNECT', (t, bench) => runConnects(t, bench, CONNECTS))
