import t from 'tap'
import { explainCaveat, parseCaveat } from '../../policy/index.ts'

const WORDS: Readonly<Record<string, string>> = {
  'tools = EXA_SEARCH,LEADS_*': 'only the tools EXA_SEARCH or LEADS_*',
  'ways = link': 'only through the door link',
  'expires < 2026-10-10T00:00:00Z': 'only before 2026-10-10 00:00:00 UTC',
  'uses <= 100': 'at most 100 calls, shared with every token narrowed from this one',
  'uses <= 1': 'at most 1 call, shared with every token narrowed from this one',
  'task = T-7/3': 'every call is recorded under the task T-7/3',
  'area = /src/,/tmp': 'only paths in /src or /tmp',
  'arg X.a = b': 'X only where a is `b`',
  'arg X.a.b in b,c,d': 'X only where a.b is `b`, `c` or `d`',
  'arg X.a prefix b': 'X only where a begins with `b`',
  'arg X.a glob b*': 'X only where a matches `b*`',
  'arg X.a <= 5': 'X only where a is a number, at most 5',
  'arg X.a >= 5': 'X only where a is a number, at least 5',
  'person = p_1': 'only while p_1 is signed in',
  'keys = p_1': 'calls are made with the upstream keys of p_1',
  'model = gpt-*': 'only the models gpt-*',
  'delegate = no': 'no further line may be added',
}

for (const [line, words] of Object.entries(WORDS)) {
  t.equal(explainCaveat(line), words)
  t.equal(explainCaveat(parseCaveat(line)), words)
}
t.throws(() => explainCaveat('colour = blue'), { name: 'TokenFault', stage: 'caveat' })
