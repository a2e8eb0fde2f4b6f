import { readFileSync, writeFileSync } from 'node:fs'
import { AXES, GUARD_ATTRIBUTES, guardrailSchema } from '../policy/index.ts'

const fileOf = (path: string): URL => new URL(`../${path}`, import.meta.url)

/** docs/formats.md with its table of axes made anew from policy's own. */
function generatedFormats(): string {
  const rows = AXES.map(
    ({ name, ops, value, says, example }) =>
      `| ${name} | ${ops.map((op) => `\`${op}\``).join(' ')} | ${value} | ${says} | \`${example}\` |`,
  )
  return withPart('docs/formats.md', 'axes', [
    '| axis | op | value | holds when | example |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ])
}

/** docs/guardrails.md with its table of attributes made anew from policy's own. */
function generatedGuardrails(): string {
  const rows = GUARD_ATTRIBUTES.map(
    ({ of, name, type, optional, says }) =>
      `| \`${of}.${name}\` | \`${type}\` | ${optional === true ? 'no' : 'yes'} | ${says} |`,
  )
  return withPart('docs/guardrails.md', 'attributes', [
    '| attribute | type | always there | holds |',
    '| --- | --- | --- | --- |',
    ...rows,
  ])
}

/** Every file of which something is made by this program, and its text as it must be. */
export const GENERATED: Readonly<Record<string, () => string>> = {
  'docs/formats.md': generatedFormats,
  'docs/guardrails.md': generatedGuardrails,
  'docs/guardrails.cedarschema': guardrailSchema,
}

function withPart(path: string, name: string, table: readonly string[]): string {
  const part = new RegExp(`(<!-- ${name}:begin[^\\n]*-->\\n)[\\s\\S]*?(<!-- ${name}:end -->)`)
  return readFileSync(fileOf(path), 'utf8').replace(
    part,
    (_, begin: string, end: string) => `${begin}\n${table.join('\n')}\n\n${end}`,
  )
}

if (
  process.argv[1] !== undefined &&
  import.meta.url.endsWith(process.argv[1].split('/').at(-1) ?? '')
)
  for (const [path, text] of Object.entries(GENERATED)) writeFileSync(fileOf(path), text())
