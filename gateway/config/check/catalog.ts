import { parseCatalogYaml, routeClashes, type Tool } from '../../../catalog/index.ts'
import type { ConfigFiles } from '../files.ts'
import { showGot } from '../got.ts'
import type { Report } from '../report.ts'
import { STORE_TOOLS } from '../../store/rows.ts'
import type { UpstreamConfig } from '../types.ts'
import { covers } from './hosts.ts'

/** The rows of all catalog files, each checked alone and then against the others and the upstreams' keys. */
export function buildCatalog(
  paths: readonly string[] | undefined,
  upstreams: readonly UpstreamConfig[],
  { files, report }: { readonly files: ConfigFiles; readonly report: Report },
): readonly Tool[] {
  const seen = new Set<string>(Object.keys(STORE_TOOLS))
  const lists = report.items('catalog', paths, (path, at) => {
    const tools = readRows(path, { at, files, report })
    for (const tool of tools) {
      checkRow(tool, { at, seen, upstreams, report })
      seen.add(tool.name)
    }
    return { at, tools }
  })
  checkRoutes(lists, report)
  return lists.flatMap(({ tools }) => tools)
}

/** Rows of one file were compared as it was read. */
function checkRoutes(
  lists: readonly { readonly at: string; readonly tools: readonly Tool[] }[],
  report: Report,
): void {
  if (lists.length < 2) return
  const places = new Map(lists.flatMap(({ at, tools }) => tools.map((tool) => [tool, at] as const)))
  for (const [tool, other] of routeClashes([...places.keys()])) {
    const repair = `make it differ from the route of ${other.name}, ${other.path}`
    const got = showGot(`${tool.method} ${tool.path}`)
    if (tool.name !== other.name) report.add(`${places.get(tool)}.${tool.name}.path`, got, repair)
  }
}

function readRows(
  path: string,
  {
    at,
    files,
    report,
  }: { readonly at: string; readonly files: ConfigFiles; readonly report: Report },
): readonly Tool[] {
  const read = files.read(path)
  if ('why' in read) {
    report.add(at, `${showGot(path)} (${read.why})`, 'name a catalog file that can be read')
    return []
  }
  const { tools, problems } = parseCatalogYaml(read.text, path)
  report.include(problems.map((problem) => ({ ...problem, path: `${at} ${problem.path}` })))
  return tools
}

function checkRow(
  tool: Tool,
  context: {
    readonly at: string
    readonly seen: ReadonlySet<string>
    readonly upstreams: readonly UpstreamConfig[]
    readonly report: Report
  },
): void {
  const { at, seen, upstreams, report } = context
  if (seen.has(tool.name)) {
    report.add(`${at}.${tool.name}`, 'a second row of this name', 'give each row a name of its own')
  }
  if (tool.key === undefined) return
  const where = `${at}.${tool.name}.key`
  const upstream = upstreams.find((one) => one.keys.some((key) => key.name === tool.key))
  if (upstream === undefined) {
    report.add(where, showGot(tool.key), `name one of the keys: ${keyNames(upstreams)}`)
  } else if (!upstream.hosts.some((pattern) => covers(pattern, tool.host, tool.port))) {
    const got = `${showGot(tool.key)}, which is bound to \`${upstream.name}\``
    report.add(
      where,
      got,
      `list the host \`${tool.host}\` in that upstream, or name a key of its own`,
    )
  }
}

function keyNames(upstreams: readonly UpstreamConfig[]): string {
  const names = upstreams.flatMap((one) => one.keys).map((key) => `\`${key.name}\``)
  return names.length === 0 ? 'none is configured' : names.join(', ')
}
