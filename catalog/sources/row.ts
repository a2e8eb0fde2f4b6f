import {
  isMembers,
  list,
  members,
  oneOf,
  text,
  value,
  type Check,
  type Members,
  type Report,
} from '../check.ts'
import { ROW_NAME } from '../envelope.ts'
import { filledSegment, parameterNames, templateSegments } from '../template.ts'
import { checkWant } from '../want/parse.ts'
import { memberNames, parsePath, parseSelector } from '../want/path.ts'
import { canonicalHost } from '../wire/host.ts'
import { canonicalPath } from '../wire/path.ts'

const METHOD = /^[A-Z][A-Z-]{0,31}$/

/** A predicate over texts as one over values. */
function textThat(holds: (text: string) => boolean): (got: unknown) => boolean {
  return (got) => typeof got === 'string' && holds(got)
}

const memberPath = value(
  textThat((got) => {
    const steps = parsePath(got)
    return steps !== undefined && memberNames(steps) !== undefined
  }),
  'write a path of names such as data.items',
)

const host: Check = (got, path, report) => {
  const name = typeof got === 'string' ? got.replace(/^\*\./, '') : ''
  const canonical = canonicalHost(name)
  if (!canonical.ok) return report.malformed(path, got, `correct the host: ${canonical.reason}`)
  if (canonical.host !== name) report.malformed(path, got, `write it as ${canonical.host}`)
  if (name !== got && canonical.kind !== 'name')
    report.malformed(path, got, 'write the address alone')
}

const template: Check = (got, path, report) => {
  if (typeof got !== 'string')
    return report.malformed(path, got, 'write a path such as /repos/{owner}')
  const segments = templateSegments(got)
  const filled = segments.map((segment) => {
    return filledSegment(
      segment,
      segment.names.map(() => 'x'),
    )
  })
  const canonical = canonicalPath(`/${filled.join('/')}`)
  const isPlain = got.startsWith('/') && !/[{}%?]/.test(filled.join('/'))
  const isParted = segments.every(({ texts }) => !texts.slice(1, -1).includes(''))
  if (!canonical.ok) report.malformed(path, got, `correct the path: ${canonical.reason}`)
  else if (!isPlain) {
    report.malformed(path, got, 'write a path, parameters in braces, unescaped')
  } else if (!isParted) {
    report.malformed(path, got, 'write a text between two parameters of a segment')
  }
}

const want: Check = (got, path, report) => {
  const parsed = checkWant(got, path)
  if (!parsed.ok) for (const problem of parsed.problems) report.include(problem)
}

const argSchema = members({
  in: oneOf(['path', 'query', 'body', 'header']),
  type: oneOf(['string', 'integer', 'number', 'boolean', 'array', 'object']),
  style: oneOf(['comma', 'space', 'tab', 'pipe', 'deep', 'json']),
  required: value((got) => typeof got === 'boolean', 'write true or false'),
  description: text,
  enum: list(
    value(
      (got) => ['string', 'number', 'boolean'].includes(typeof got),
      'write a text, a number, true or false',
    ),
  ),
})

const properties: Check = (got, path, report) => {
  if (!isMembers(got)) return report.malformed(path, got, 'write an object of arguments')
  for (const [name, schema] of Object.entries(got)) {
    const at = `${path}.${name}`
    argSchema(schema, at, report)
    if (isMembers(schema) && schema['in'] === undefined) {
      report.malformed(`${at}.in`, undefined, 'use one of path, query, body, header')
    }
  }
}

const names = list(
  value(
    textThat((got) => got !== ''),
    'write the name of an argument',
  ),
)

const CHECKS = {
  name: value(
    textThat((got) => ROW_NAME.test(got)),
    'write A to Z, 0 to 9 and _, at most 128',
  ),
  summary: text,
  scheme: oneOf(['http', 'https']),
  host,
  port: value(
    (got) => Number.isInteger(got) && (got as number) >= 1 && (got as number) <= 65_535,
    'write a number from 1 to 65535',
  ),
  method: value(
    textThat((got) => METHOD.test(got)),
    'write a method such as GET',
  ),
  path: template,
  args: members({ properties }),
  body: oneOf(['open', 'whole', 'form']),
  key: value(
    textThat((got) => got !== ''),
    'write the name of a configured key',
  ),
  want,
  only: value(
    (got) => Array.isArray(got) && got.length > 0 && got.every(isSelector),
    'write a list of at least one path',
  ),
  rows: memberPath,
  paths: members({ mark: names, unmark: names }),
  runs: oneOf(['code']),
  model: memberPath,
  keep: oneOf(['upstream', 'delivered', 'hash', 'none']),
  ledger: oneOf(['strict', 'batch', 'best-effort']),
} satisfies Record<string, Check>

function isSelector(got: unknown): boolean {
  return typeof got === 'string' && parseSelector(got) !== undefined
}

const REQUIRED = ['name', 'summary', 'host', 'method', 'path'] as const

/** Checks one row as it stands in a file. */
export function checkRow(got: unknown, path: string, report: Report): void {
  members(CHECKS)(got, path, report)
  if (!isMembers(got)) return
  for (const name of REQUIRED) {
    if (got[name] === undefined) report.malformed(`${path}.${name}`, undefined, `write the ${name}`)
  }
  if (typeof got['path'] === 'string') checkParameters(got, path, report)
  checkStyles(got, path, report)
}

/** Each parameter of the path occurs once, and an argument that stands in the path is one of them. */
function checkParameters(row: Members, path: string, report: Report): void {
  const parameters = parameterNames(row['path'] as string)
  if (new Set(parameters).size < parameters.length) {
    report.malformed(`${path}.path`, row['path'], 'name each parameter once')
  }
  const args = isMembers(row['args']) ? row['args']['properties'] : undefined
  for (const [name, schema] of Object.entries(isMembers(args) ? args : {})) {
    const isInPath = isMembers(schema) && schema['in'] === 'path'
    if (isInPath !== parameters.includes(name) && isMembers(schema)) {
      const repair = isInPath ? `put {${name}} into the path` : 'write in: path'
      report.malformed(`${path}.args.properties.${name}.in`, schema['in'], repair)
    }
  }
}

/** A style is said where a list or an object stands in a form, and nowhere else; an object has no way of standing there without. */
function checkStyles(row: Members, path: string, report: Report): void {
  const args = isMembers(row['args']) ? row['args']['properties'] : undefined
  for (const [name, schema] of Object.entries(isMembers(args) ? args : {})) {
    if (!isMembers(schema)) continue
    const { style, type } = schema
    const at = `${path}.args.properties.${name}.style`
    const isInForm = row['body'] === 'form' && schema['in'] === 'body'
    if (!isInForm && style !== undefined) {
      report.malformed(at, style, 'leave it out, or write body: form and in: body')
    } else if (isInForm && !fits(style, type)) {
      const repair =
        type === 'object' ? 'use one of deep, json' : 'leave it out, or write type: array'
      report.malformed(at, style, repair)
    }
  }
}

function fits(style: unknown, type: unknown): boolean {
  if (type === 'object') return style === 'deep' || style === 'json'
  if (style === 'deep' || style === 'json') return type === undefined || type === 'array'
  return style === undefined || type === 'array'
}
