import { get, head } from '../probe.ts'
import type { Refused, Wire } from '../probe.ts'

const FIRST = 'GET $AT/$ID HTTP/1.1'
const host = (name: string, text: string): Refused => ({
  name: `a Host ${name}`,
  bytes: head(FIRST, `Host:${text}`),
})

/** Shapes in which Host has to be the one that the target or the tunnel names. */
const NAMED: readonly Wire[] = ['absolute', 'clear', 'tls12', 'tls13', 'ws', 'wss']
const other = (name: string, text: string): Refused => ({
  name: `a Host ${name}`,
  bytes: head(FIRST, `Host: ${text}`),
  status: 421,
  code: 'authority_mismatch',
  servesOn: true,
  on: NAMED,
})

/** Hosts that are missing, doubled, no authority, or another one than the request's. */
export const HOSTS: readonly Refused[] = [
  { name: 'no Host', bytes: head(FIRST) },
  { name: 'two equal Hosts', bytes: get('Host: $HOST') },
  { name: 'two Hosts', bytes: get('Host: other.test') },
  { name: 'two Hosts, the right one last', bytes: head(FIRST, 'Host: other.test', 'Host: $HOST') },
  { name: 'two Hosts in two cases', bytes: get('hOST: $HOST') },
  {
    name: 'two Hosts far apart',
    bytes: get(...Array.from({ length: 50 }, (_, n) => `X-${n}: 1`), 'Host: $HOST'),
  },
  { name: 'three Hosts', bytes: get('Host: $HOST', 'Host: $HOST') },
  { name: 'a folded Host', bytes: head(FIRST, 'Host:', ' $HOST') },
  {
    name: 'two Hosts over HTTP/1.0',
    bytes: head('GET $AT/$ID HTTP/1.0', 'Host: $HOST', 'Host: $HOST'),
  },
  host('with a path', ' $HOST/x'),
  host('with user information', ' user@$HOST'),
  host('with a backslash', ' $HOST\\x'),
  host('with a query', ' $HOST?x'),
  host('with a fragment', ' $HOST#x'),
  host('with a space inside', ' $HOST x'),
  host('with a comma', ' $HOST, $HOST'),
  host('with an empty port', ' $HOST:'),
  host('with port zero', ' $HOST:0'),
  host('with a port past 65535', ' $HOST:65616'),
  host('with a port of letters', ' $HOST:http'),
  host('with two ports', ' $HOST:80:80'),
  host('with a scheme', ' http://$HOST'),
  host('with an empty label', ' .$HOST'),
  host('with two dots behind', ' $HOST..'),
  host('with a percent escape', ' %61pi.test'),
  host('in fullwidth letters', ' \xef\xbd\x81pi.test'),
  host('in brackets', ' [$HOST]'),
  host('with a NUL', ' $HOST\0.other.test'),
  other('of another name', 'other.test'),
  other('of a longer name', 'api.test.other.test'),
  other('of a sub-domain', 'x.api.test'),
  other('of another port', 'api.test:8081'),
  other('that is an address', '127.0.0.1'),
]
