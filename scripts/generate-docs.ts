import { readFileSync, writeFileSync } from 'node:fs'
import { AXES } from '../policy/index.ts'

const PAGE = new URL('../docs/formats.md', import.meta.url)
const PART = /(<!-- axes:begin[^\n]*-->\n)[\s\S]*?(<!-- axes:end -->)/

/** docs/formats.md with its table of axes made anew from policy's own. */
export function generatedFormats(): string {
  const rows = AXES.map(
    ({ name, ops, value, says, example }) =>
      `| ${name} | ${ops.map((op) => `\`${op}\``).join(' ')} | ${value} | ${says} | \`${example}\` |`,
  )
  const table = [
    '| axis | op | value | holds when | example |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ]
  return readFileSync(PAGE, 'utf8').replace(PART, `$1\n${table.join('\n')}\n\n$2`)
}

if (
  process.argv[1] !== undefined &&
  import.meta.url.endsWith(process.argv[1].split('/').at(-1) ?? '')
)
  writeFileSync(PAGE, generatedFormats())
