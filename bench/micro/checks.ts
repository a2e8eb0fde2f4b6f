import { createBuildKey, type Ask, type DecisionPorts } from '../../policy/index.ts'

/** Eight lines, and for biscuit the same eight in its own language. */
export const CHECKS: readonly (readonly [line: string, datalog: string])[] = [
  [
    'tools = EXA_SEARCH,LEADS_*',
    'check if tool($t), $t == "EXA_SEARCH" || $t.starts_with("LEADS_")',
  ],
  ['ways = proxy,mcp', 'check if way($w), ["proxy", "mcp"].contains($w)'],
  ['expires < 2099-01-01T00:00:00Z', 'check if now($n), $n < 2099-01-01T00:00:00Z'],
  ['person = p_k2x9qa', 'check if person("p_k2x9qa")'],
  ['area = /src', 'check if path($p), $p == "/src" || $p.starts_with("/src/")'],
  ['model = gpt-*', 'check if model($m), $m.starts_with("gpt-")'],
  ['arg LEADS_FIND.limit <= 100', 'check if limit($l), $l <= 100'],
  ['arg LEADS_FIND.country in DE,FR,IT', 'check if country($c), ["DE", "FR", "IT"].contains($c)'],
]
export const LINES: readonly string[] = CHECKS.map(([line]) => line)

/** A call that all eight let through. */
export const CALL: Ask = {
  target: 'POST https://leads.example:443/find',
  tool: 'LEADS_FIND',
  way: 'proxy',
  now: Date.UTC(2026, 10, 30),
  person: 'p_k2x9qa',
  args: { limit: 50, country: 'FR' },
  paths: { kind: 'values', values: ['/src/a'] },
  model: { kind: 'values', values: ['gpt-9'] },
  runsCode: false,
}

/** One that the last of them refuses. */
export const STRAY: Ask = { ...CALL, args: { limit: 50, country: 'US' } }

export const KEY_TEXT = 'a-build-key-for-the-bench-of-policy-only'
export const KEY = createBuildKey(KEY_TEXT)

export const NOBODY_REVOKED: DecisionPorts['revocations'] = { revoked: () => undefined }

/** @throws Error where a row gives another verdict than it must */
export function expectVerdict(got: boolean, wanted: boolean, name: string): void {
  if (got !== wanted) throw new Error(`${name}: got \`${got}\`, it must be ${wanted}`)
}
