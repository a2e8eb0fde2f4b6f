import { LineCounter, parseDocument } from 'yaml'
import { createReport, isMembers, members, type Check, type Report } from '../check.ts'
import { freezeDeep } from '../freeze.ts'
import { routeClashes } from '../route-overlaps.ts'
import type { Problem, Tool } from '../tool.ts'
import { checkRow } from './row.ts'

/** The rows of a catalog file. Where there are problems, `tools` is empty: a catalog is loaded whole. */
export interface ParsedCatalog {
  readonly tools: readonly Tool[]
  readonly problems: readonly Problem[]
}

/** Reads a catalog file: `tools`, a list of rows. Reports all problems at once; `file` names it in them. */
export function parseCatalogYaml(source: string, file: string): ParsedCatalog {
  const report = createReport()
  const value = readJson(source) ?? readYaml(source, report)
  if (report.problems.length === 0) checkCatalog(value, report)
  if (report.problems.length > 0) {
    return { tools: [], problems: report.problems.map((problem) => inFile(problem, file)) }
  }
  const rows = (value as { readonly tools: readonly unknown[] }).tools
  return { tools: freezeDeep(rows.map(toTool)), problems: [] }
}

function inFile({ path, got, repair }: Problem, file: string): Problem {
  return { path: `${file}: ${path}`, got: `\`${got}\``, repair }
}

/** A JSON document is YAML too, but is read a hundred times faster as what it is; where it is broken, YAML says where. */
function readJson(source: string): unknown {
  if (!source.trimStart().startsWith('{')) return undefined
  try {
    return JSON.parse(source)
  } catch {
    return undefined
  }
}

function readYaml(source: string, report: Report): unknown {
  const lines = new LineCounter()
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false })
  for (const fault of [...document.errors, ...document.warnings]) {
    const { line, col } = lines.linePos(fault.pos[0])
    const what = fault.code.toLowerCase().replaceAll('_', ' ')
    report.malformed(`line ${line}, column ${col}`, what, 'correct the YAML there')
  }
  if (report.problems.length > 0) return undefined
  try {
    return document.toJS() as unknown
  } catch {
    report.malformed('the file', 'aliases that cannot be resolved', 'write the values out')
    return undefined
  }
}

const rows: Check = (got, path, report) => {
  if (!Array.isArray(got)) return report.malformed(path, got, 'write a list of rows')
  for (const [at, row] of got.entries()) checkRow(row, `${path}[${at}]`, report)
}

function checkCatalog(value: unknown, report: Report): void {
  members({ tools: rows })(value, '', report)
  if (isMembers(value) && value['tools'] === undefined) rows(undefined, 'tools', report)
  if (report.problems.length > 0) return
  checkAgainstEachOther((value as { readonly tools: readonly unknown[] }).tools.map(toTool), report)
}

function checkAgainstEachOther(tools: readonly Tool[], report: Report): void {
  const names = new Map<string, number>()
  for (const [at, tool] of tools.entries()) {
    const first = names.get(tool.name)
    if (first !== undefined) {
      report.malformed(`tools[${at}].name`, tool.name, `rename it: tools[${first}] has that name`)
    }
    names.set(tool.name, first ?? at)
  }
  for (const [tool, other] of routeClashes(tools)) {
    if (tool.name === other.name) continue
    const repair = `make it differ from the route of ${other.name}, ${other.path}`
    report.malformed(`tools[${tools.indexOf(tool)}].path`, `${tool.method} ${tool.path}`, repair)
  }
}

/** A checked row with its defaults. */
function toTool(row: unknown): Tool {
  const tool = row as Partial<Tool> & Omit<Tool, 'scheme' | 'args'>
  const { properties = {} } = tool.args ?? {}
  const paths = tool.paths && { mark: tool.paths.mark ?? [], unmark: tool.paths.unmark ?? [] }
  return {
    ...tool,
    scheme: tool.scheme ?? 'https',
    args: { properties },
    ...(paths && { paths }),
  }
}
