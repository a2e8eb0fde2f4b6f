import type { RawHeaders } from '../../adapters/upstream/port.ts'
import type { Call } from '../call.ts'
import type { KeyRing } from '../keyring.ts'
import { readableCodings } from './encodings.ts'
import { getHeader, removeHeaders, replaceHeader, setHeader } from './headers.ts'
import type { TextKeys } from './text-keys.ts'

/**
 * An answer that is to be read on its way (for keys, or to cut it down) is asked for in codings that can be read, and
 * whole: a part of a JSON text cannot be cut, and a key that is fetched in two parts is in neither of them.
 */
export function forInspection(
  call: Call,
  keyring: KeyRing,
  headers: RawHeaders,
  texts?: TextKeys,
): RawHeaders {
  const keyed = keyring.redactorFor(call.upstream) !== undefined
  const plain = keyed || texts !== undefined ? ['sec-websocket-extensions'] : []
  if (!keyed && call.projection === undefined) return removeHeaders(headers, plain)
  const left = removeHeaders(headers, ['range', 'if-range', ...plain])
  const asked = getHeader(left, 'accept-encoding')
  const coded =
    asked === undefined ? left : setHeader(left, 'Accept-Encoding', readableCodings(asked))
  // gRPC codes each message by itself, which is not looked into.
  return replaceHeader(coded, 'grpc-accept-encoding', () => 'identity')
}
