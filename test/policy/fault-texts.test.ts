import { base64urlnopad, utf8 } from '@scure/base'
import t from 'tap'
import {
  createDecider,
  mintToken,
  narrowToken,
  parseCaveat,
  TokenFault,
  verifyToken,
} from '../../policy/index.ts'
import { judgeLines } from '../../policy/judge.ts'
import { readLines } from '../../policy/lines.ts'
import { askOf, createCounters, KEY, neverRevoked, tokenOf } from './support.ts'

// What people are told: each text names what was got and ends with what mends it.

const GOOD = mintToken(KEY, 'g_1', ['tools = A'])
const [, payload = '', signature = ''] = GOOD.split('.')
const spelled = (json: string) => `g1.${base64urlnopad.encode(utf8.decode(json))}.${signature}`
const zeros = (count: number) => base64urlnopad.encode(new Uint8Array(count))

const verify = (token: string) => () => verifyToken(token, [KEY])
const mint =
  (id: string, ...lines: readonly string[]) =>
  () =>
    mintToken(KEY, id, lines)
const line = (text: string) => () => parseCaveat(text)

const FAULTS: readonly (readonly [act: () => unknown, stage: string, reason: RegExp])[] = [
  [verify('g1'), 'format', /^a token has three segments, parted by dots$/],
  [verify(`${GOOD}.`), 'format', /^a token has three segments, parted by dots$/],
  [verify(`G1.${payload}.${signature}`), 'format', /^a token begins with `g1\.`$/],
  [
    verify(`g1.${payload}.${zeros(31)}`),
    'format',
    /^the signature has `31` bytes; it must have 32$/,
  ],
  [verify(`g1.${payload}.${signature}=`), 'format', /^the signature is not base64url without/],
  [verify(`g1.${payload}%.${signature}`), 'format', /^the payload is not base64url without/],
  [verify(spelled('{')), 'format', /^the payload is not JSON in UTF-8$/],
  [verify(spelled('null')), 'format', /^the payload is not a JSON object$/],
  [verify(spelled('[]')), 'format', /^the payload is not a JSON object$/],
  [verify(spelled('7')), 'format', /^the payload is not a JSON object$/],
  [verify(spelled('{"c":[]}')), 'format', /^the payload has no id$/],
  [
    verify(spelled('{"i":"a","c":[1]}')),
    'format',
    /^the payload has no list of lines, all of them/,
  ],
  [
    verify(spelled('{"i":"","c":[]}')),
    'format',
    /^the id has `0` characters; it must have 1 to 128$/,
  ],
  [verify(spelled('{"i":"a","c":[] }')), 'format', /^the payload is not in its one spelling$/],
  [verify('a'.repeat(8193)), 'format', /^the token is longer than 8192 bytes$/],
  [
    verify(`g1.${payload}.${zeros(32)}`),
    'signature',
    /^the signature does not match: no build key/,
  ],
  [mint('a\n', 'tools = A'), 'format', /^the id holds a control character or half a surrogate/],
  [
    mint('a', ...Array<string>(65).fill('uses <= 1')),
    'format',
    /^the token has `65` lines; at most 64/,
  ],
  [mint('a', 'tools = \ud800'), 'format', /^a line holds half a surrogate pair$/],
  [mint('a'), 'caveat', /^a token without lines would grant everything; give it a line$/],
  [
    mint('a', 'delegate = no', 'x'),
    'delegate',
    /^a line follows `delegate = no`; use the token as/,
  ],
  [
    mint('a', 'tools = A', 'keys = p'),
    'caveat',
    /^a keys line may only be the first line, where mint/,
  ],
  [
    mint('a', 'task = T/1', 'task = S'),
    'caveat',
    /^the line leaves the task `T\/1`; name that task/,
  ],
  [() => narrowToken(GOOD, ['keys = p']), 'caveat', /^a keys line may only be the first line/],
  [line(''), 'caveat', /^the line is empty; write `<axis> <op> <value>`$/],
  [line('tools = \ud800'), 'caveat', /^the line holds half a surrogate pair; write it anew$/],
  [line('tools = a\tb'), 'caveat', /^the line holds a control character; leave it out$/],
  [line(' tools = a'), 'caveat', /^the line begins or ends with a space; leave it out$/],
  [line('tools = a '), 'caveat', /^the line begins or ends with a space; leave it out$/],
  [line(`tools = ${'a'.repeat(4089)}`), 'caveat', /^the line is longer than 4096 bytes; part it/],
  [line('colour = b'), 'caveat', /^the axis `colour` is not known; use one of `tools`, `ways`, /],
  [line('tools in A'), 'caveat', /^tools: the op `in` is not known; use `=`$/],
  [line('arg X.a < 5'), 'caveat', /^arg: the op `<` is not known; use one of `=`, `prefix`, /],
  [line('tools =  A'), 'caveat', /^tools: put one value after the op and one space$/],
  [line('delegate = x'), 'caveat', /^delegate: `x` is not known; use `no`$/],
]

for (const [act, stage, reason] of FAULTS) t.throws(act, { name: 'TokenFault', stage, reason })

t.test('a fault names its line and axis where it has them', async (t) => {
  const faultOf = (text: string): TokenFault | undefined => {
    try {
      parseCaveat(text)
      return undefined
    } catch (error) {
      return error instanceof TokenFault ? error : undefined
    }
  }
  t.match(faultOf('tools in A'), {
    axis: 'tools',
    line: 'tools in A',
    code: 'token_unknown_caveat',
  })
  t.match(faultOf('tools =  A'), { axis: 'tools', line: 'tools =  A' })
  t.match(faultOf('delegate = x'), { axis: 'delegate', line: 'delegate = x' })
  t.match(faultOf('colour = b'), { line: 'colour = b' })
  t.equal(faultOf('colour = b')?.axis, undefined, 'no axis that is not known')
  t.equal(faultOf('tools = \ud800')?.line, undefined, 'no line that cannot be told')
})

t.test('a disagreement of the engines says which way, and refuses', async (t) => {
  const caveats = readLines(['tools = A'])
  const reasonOf = (tool: string, verdict: 'allow' | 'deny' | 'fault') => {
    const { allow, disagreement, reasons } = judgeLines(caveats, askOf({ tool }), () => verdict)
    t.notOk(allow && disagreement, 'what they disagree on is refused')
    return reasons.find(({ code }) => code === 'policy_disagreement')
  }
  const rest = { axis: 'cedar', caveat: '', repair: /^tell the operator: this is a defect/ }
  t.match(reasonOf('A', 'deny'), { ...rest, got: 'every line holds and Cedar refuses' })
  t.match(reasonOf('A', 'fault'), { ...rest, got: 'every line holds and Cedar gives no verdict' })
  t.match(reasonOf('B', 'allow'), { ...rest, got: 'a line refuses and Cedar allows' })
  for (const [tool, verdict] of [
    ['A', 'allow'],
    ['B', 'deny'],
    ['B', 'fault'],
  ] as const)
    t.equal(reasonOf(tool, verdict), undefined)
})

t.test('a decision says what it takes', async (t) => {
  const decider = createDecider()
  const ports = { uses: createCounters(), revocations: neverRevoked }
  const spent = await decider.decide(tokenOf('uses <= 0'), askOf(), ports)
  t.same(spent.allow ? [] : spent.reasons, [
    {
      code: 'uses_spent',
      axis: 'uses',
      caveat: 'uses <= 0',
      got: '0 used',
      repair: 'ask for a token with more uses',
    },
  ])
  const revocations = { revoked: () => 'g_test' }
  const revoked = await decider.decide(tokenOf('uses <= 0'), askOf(), { ...ports, revocations })
  t.same(revoked.allow ? [] : revoked.reasons, [
    { code: 'revoked', axis: 'grant', caveat: '', got: 'g_test', repair: 'ask for a new token' },
  ])
})
