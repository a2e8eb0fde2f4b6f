import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import t from 'tap'
import { parse } from 'yaml'
import { InvalidRequest } from '../../sidecar/invalid.ts'
import { formatVariables } from '../../sidecar/formats.ts'

const FACTOR = Number(process.env['NARROWGATE_RUNS_FACTOR'] ?? 1)
const NASTY = fc.constantFrom(
  "'",
  '"',
  '$',
  '`',
  '\\',
  '!',
  '*',
  '${HOME}',
  '$$',
  '$(id)',
  ' ',
  '#',
  '%',
  'é',
  '😀',
)
const value = fc
  .array(fc.oneof(NASTY, fc.string({ maxLength: 4 })), { maxLength: 12 })
  .map((parts) => parts.join('').replaceAll(/[\r\n\0]/g, ''))
const values = fc.array(value, { minLength: 1, maxLength: 20 })

function named(list: readonly string[]): Record<string, string> {
  return Object.fromEntries(list.map((text, index) => [`NG_${index}`, text]))
}

t.test('a shell reads back what was printed', async () => {
  fc.assert(
    fc.property(values, (list) => {
      const variables = named(list)
      const script = `${formatVariables(variables, 'shell')}exec "$0" -p 'JSON.stringify(process.env)'`
      const printed = execFileSync('/bin/sh', ['-c', script, process.execPath], { env: {} })
      const read: Record<string, string> = JSON.parse(printed.toString())
      return Object.entries(variables).every(([name, text]) => read[name] === text)
    }),
    { numRuns: Math.ceil(25 * FACTOR) },
  )
})

/** ENV as the Dockerfile reference says: backslash escapes and `$` expansion inside double quotes. */
function readDockerfile(line: string): string {
  const [, quoted = ''] = /^ENV \w+="(.*)"$/s.exec(line) ?? []
  if (/(?<!\\)(?:\\\\)*[$"]/.test(quoted)) throw new Error(`unescaped in ${line}`)
  return quoted.replaceAll(/\\(.)/gs, '$1')
}

t.test('a Dockerfile reads back what was printed', async () => {
  fc.assert(
    fc.property(
      value,
      (text) => readDockerfile(formatVariables({ A: text }, 'dockerfile').trimEnd()) === text,
    ),
    { numRuns: Math.ceil(500 * FACTOR) },
  )
})

/** Compose reads YAML, then turns `$$` into `$` and would put variables in for a lone one. */
function readCompose(text: string): string {
  const { environment } = parse(text) as { environment: { A: string } }
  if (/(?<!\$)(?:\$\$)*\$(?!\$)/.test(environment.A)) throw new Error(`a lone dollar in ${text}`)
  return environment.A.replaceAll('$$', '$')
}

t.test('compose reads back what was printed', async () => {
  fc.assert(
    fc.property(value, (text) => readCompose(formatVariables({ A: text }, 'compose')) === text),
    { numRuns: Math.ceil(500 * FACTOR) },
  )
})

t.test('JSON reads back what was printed', async () => {
  fc.assert(
    fc.property(values, (list) => {
      const read: unknown = JSON.parse(formatVariables(named(list), 'json'))
      return JSON.stringify(read) === JSON.stringify(named(list))
    }),
    { numRuns: Math.ceil(100 * FACTOR) },
  )
})

t.test('a line break is refused in every format, since it would end the line', async (t) => {
  for (const format of ['shell', 'dockerfile', 'compose', 'json'] as const) {
    for (const text of ['a\nENV B=1', 'a\rb', 'a\0b']) {
      t.throws(() => formatVariables({ A: text }, format), InvalidRequest, format)
    }
  }
})
