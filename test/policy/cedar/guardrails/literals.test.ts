import * as cedar from '@cedar-policy/cedar-wasm/nodejs'
import t from 'tap'
import { literalFaults } from '../../../../policy/cedar/guardrails/literals.ts'
import { forbid } from './_call.ts'
import { NEVER } from './_never.ts'

function faultsOf(policy: string) {
  const read = cedar.policyToJson(policy)
  if (read.type === 'failure') throw new Error(`${policy} is no policy`)
  return literalFaults(read.json).map(({ got }) => got)
}

for (const [never, sometimes] of NEVER) {
  t.match(faultsOf(forbid(never)), [/^".*" as a /], never)
  t.equal(faultsOf(forbid(never)).length, 1, never)
  t.same(faultsOf(forbid(sometimes)), [], sometimes)
}

t.test('what is not compared with an attribute of ours is not judged', async (t) => {
  for (const condition of [
    'resource.host == context.path',
    'context.path == resource.method',
    '"A" == "A"',
    '"A" like "a*"',
    'resource in Tool::"A B"',
    'resource.port == 80',
    'resource.generic == true',
    '(if resource.generic then resource.host else resource.method) == "GET"',
    '(if resource.generic then resource.host else resource.method) == "a.test"',
    'context.now == datetime("2026-11-30")',
  ])
    t.same(faultsOf(forbid(condition)), [], condition)
  t.same(
    faultsOf(forbid('(if resource.generic then resource.host else resource.method) == "Get"')),
    ['"Get" as a host'],
    'nor one that fits none of what it may be',
  )
})

t.test('a text is found wherever it stands', async (t) => {
  for (const condition of [
    'true && (false || !(resource.method == "get"))',
    'if resource.method == "get" then true else false',
    '[resource.method == "get"].contains(true)',
    '{ a: resource.method == "get" }.a',
    'resource.generic && ["get", "GET"].containsAny([resource.method])',
    '["get"].containsAll([resource.method])',
    'resource.method != "get"',
  ])
    t.same(faultsOf(forbid(condition)), ['"get" as a method'], condition)
  t.same(faultsOf('forbid (principal, action, resource in Host::"A");'), ['"A" as a host'])
  t.same(faultsOf(forbid('resource.method like "g\\*t*"')), ['"g*t*" as a method'])
  t.same(faultsOf(forbid('resource.method like "G\\*T*"')), [])
})
