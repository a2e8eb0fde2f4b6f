import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import type { Test } from 'tap'
import { JSON_TYPE, says } from './answers.ts'
import { proofOf } from './scene.ts'

// A fault that nobody foresaw: the runtime hashes everything but one certain body.

const BODY = '[{"a":"planted"}]'

function plantFault(t: Test): void {
  const { hash } = crypto
  crypto.hash = ((algorithm: string, data: crypto.BinaryLike, encoding?: 'hex') => {
    if (Buffer.isBuffer(data) && data.includes('planted')) throw new RangeError('planted')
    return hash(algorithm, data, encoding as 'hex')
  }) as typeof hash
  syncBuiltinESMExports()
  t.teardown(() => {
    crypto.hash = hash
    syncBuiltinESMExports()
  })
}

const fault = proofOf({
  name: 'a fault of the gateway’s own',
  options: { first: plantFault, answer: () => says(BODY, JSON_TYPE) },
  calls: [{ code: 'internal_error', asked: { headers: { want: '{"order":["a"]}' } }, ran: true }],
})

export const RUNTIME = [fault]
