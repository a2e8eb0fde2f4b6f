import { head, send } from '../probe.ts'
import type { Refused, Wire } from '../probe.ts'

// These bring an upgrade of their own, so they go where the shape adds none.
const PLAIN: readonly Wire[] = ['absolute', 'mount', 'clear', 'tls12', 'tls13']
const KEY = ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==']

const upgrade = (name: string, method: string, ...fields: readonly string[]): Refused => ({
  name,
  bytes: send(method, [...fields, ...KEY]),
  on: PLAIN,
})

/** Upgrades that are none to WebSocket, or that could be a request with a body to somebody. */
export const UPGRADES: readonly Refused[] = [
  upgrade(
    'h2c',
    'GET',
    'Connection: Upgrade, HTTP2-Settings',
    'Upgrade: h2c',
    'HTTP2-Settings: AAMAAABkAAQAAP__',
  ),
  upgrade('h2c in upper case', 'GET', 'Connection: upgrade', 'Upgrade: H2C'),
  upgrade('h2c behind websocket', 'GET', 'Connection: Upgrade', 'Upgrade: websocket, h2c'),
  upgrade('h2c before websocket', 'GET', 'Connection: Upgrade', 'Upgrade: h2c, websocket'),
  upgrade(
    'h2c in a line of its own',
    'GET',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Upgrade: h2c',
  ),
  upgrade(
    'websocket twice',
    'GET',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Upgrade: websocket',
  ),
  upgrade('websocket with a version', 'GET', 'Connection: Upgrade', 'Upgrade: websocket/13'),
  upgrade('what begins like websocket', 'GET', 'Connection: Upgrade', 'Upgrade: websockets'),
  upgrade('TLS', 'GET', 'Connection: Upgrade', 'Upgrade: TLS/1.0'),
  upgrade('HTTP/2.0', 'GET', 'Connection: Upgrade', 'Upgrade: HTTP/2.0'),
  upgrade('an upgrade with a POST', 'POST', 'Connection: Upgrade', 'Upgrade: websocket'),
  upgrade('an upgrade with an OPTIONS', 'OPTIONS', 'Connection: Upgrade', 'Upgrade: websocket'),
  upgrade(
    'an upgrade with a length',
    'GET',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Content-Length: 5',
  ),
  upgrade(
    'an upgrade with chunks',
    'GET',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Transfer-Encoding: chunked',
  ),
  {
    name: 'an upgrade over HTTP/1.0',
    bytes: head(
      'GET $AT/$ID HTTP/1.0',
      'Host: $HOST',
      'Connection: Upgrade',
      'Upgrade: websocket',
      ...KEY,
    ),
    on: PLAIN,
  },
]
