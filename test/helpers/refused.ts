import type { Test } from 'tap'
import type { TestGateway } from './gateway.ts'
import type { Got } from './shapes.ts'

/** Asserts a refusal in all the places where it shows: status, header, document and receipt. */
export function assertRefused(
  t: Test,
  gateway: TestGateway,
  got: Got,
  expected: { status: number; code: string; name: string },
): void {
  const { status, code, name } = expected
  t.same([got.status, got.header('refused')], [status, code], name)
  const document = JSON.parse(got.text) as {
    code: string
    ran: unknown
    receipt?: string
    reasons: object[]
  }
  t.match(document, { code, ran: false, receipt: got.header('receipt') })
  t.ok(
    document.reasons.every((reason) => 'got' in reason && 'repair' in reason),
    'with its repair',
  )
  t.match(gateway.receipt(got.header('receipt')), {
    kind: 'refusal',
    outcome: 'refused',
    ran: false,
    code,
  })
}
