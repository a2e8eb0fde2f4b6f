import {
  absoluteTarget,
  canonicalPath,
  defaultPort,
  matchesGlob,
  routeClashes,
  type Tool,
} from '../../../catalog/index.ts'
import { STORE_TOOLS } from '../../store/rows.ts'
import { hideGot, showGot } from '../got.ts'
import type { RawConfig, RawModel } from '../raw.ts'
import type { Report } from '../report.ts'
import type { ModelRoute, ModelsConfig } from '../model-types.ts'

/** The table, and the rows that it makes. */
export interface BuiltModels {
  readonly models: ModelsConfig
  readonly rows: readonly Tool[]
}

/**
 * The table of models. The row of each entry has to name its model, since a `model` line would hold for it otherwise, and has to be
 * the one at its address: what a call is judged as.
 */
export function buildModels(
  raw: RawConfig['models'] | undefined,
  catalog: readonly Tool[],
  report: Report,
): BuiltModels {
  const made = new Map<string, Tool>()
  const known = new Map<string, Tool>(
    [...Object.values(STORE_TOOLS), ...catalog].map((tool) => [tool.name, tool]),
  )
  const table = report.items('models.table', raw?.table, (entry, at) => {
    if (!report.usable(`${at}.tool`) || !report.usable(`${at}.name`)) return undefined
    if (entry.url !== undefined) makeRow(entry, at, { known, made, report })
    else checkRow(known.get(entry.tool), entry, { at, report })
    return routeOf(entry)
  })
  const rows = [...made.values()]
  checkPlaces(rows, catalog, report)
  checkDefault(raw?.default_model, table, report)
  return { models: { defaultModel: raw?.default_model, table }, rows }
}

/** The entry of a model's name; undefined where the table has none. */
export function modelRoute(name: string, table: readonly ModelRoute[]): ModelRoute | undefined {
  return (
    table.find((route) => route.name === name) ??
    table.find((route) => matchesGlob(name, route.name))
  )
}

function routeOf({ name, tool, dialect, model, max_tokens }: RawModel): ModelRoute {
  return { name, tool, dialect, model, maxTokens: max_tokens }
}

interface Making {
  readonly known: ReadonlyMap<string, Tool>
  readonly made: Map<string, Tool>
  readonly report: Report
}

/** Entries may share a row: then they say the same address. */
function makeRow(entry: RawModel, at: string, { known, made, report }: Making): void {
  const url = entry.url ?? ''
  const row = rowAt(entry.tool, url)
  if (row === undefined) {
    const repair = 'write the whole address, such as https://api.openai.com/v1/chat/completions'
    return report.add(`${at}.url`, hideGot(url), repair)
  }
  const other = known.get(entry.tool) ?? made.get(entry.tool)
  if (other !== undefined && (known.has(entry.tool) || !isSamePlace(other, row)))
    return report.add(
      `${at}.tool`,
      `${showGot(entry.tool)}, a row of another address`,
      'leave out url, or give the row a name of its own',
    )
  made.set(entry.tool, row)
}

function isSamePlace(one: Tool, other: Tool): boolean {
  return (
    one.scheme === other.scheme &&
    one.host === other.host &&
    one.port === other.port &&
    one.path === other.path
  )
}

function rowAt(name: string, url: string): Tool | undefined {
  const target = absoluteTarget(url)
  if (!target.ok) return undefined
  const { scheme, host, port, path } = target
  if (!canonicalPath(path).ok || /[?{}%]/.test(path)) return undefined
  return {
    name,
    summary: 'call a model',
    scheme,
    host,
    ...(port === defaultPort(scheme) ? {} : { port }),
    method: 'POST',
    path,
    args: {
      properties: {
        model: { in: 'body', type: 'string', required: true },
        messages: { in: 'body', type: 'array', required: true },
      },
    },
    body: 'open',
    model: 'model',
  }
}

interface Place {
  readonly at: string
  readonly report: Report
}

function checkRow(tool: Tool | undefined, entry: RawModel, { at, report }: Place): void {
  const where = `${at}.tool`
  const got = showGot(entry.tool)
  if (tool === undefined)
    return report.add(where, got, 'name a row of the catalog, or give its url here')
  if (tool.method !== 'POST' || /[{}*]/.test(`${tool.host}${tool.path}`))
    return report.add(where, got, 'name a row that is posted to one address, without parameters')
  if (tool.model !== 'model' || tool.body === 'whole' || tool.opaque === true)
    report.add(where, got, 'name a row with `model: model`, whose body has the argument `model`')
}

/** Another row of the same address would be the one that calls are judged as, or never be it again. */
function checkPlaces(made: readonly Tool[], catalog: readonly Tool[], report: Report): void {
  if (made.length === 0) return
  for (const [tool, other] of routeClashes([...catalog, ...made])) {
    if (!made.includes(tool)) continue
    const repair = `name ${other.name} without url: it is the row of this address`
    report.add('models.table', showGot(tool.name), repair)
  }
}

function checkDefault(
  name: string | undefined,
  table: readonly ModelRoute[],
  report: Report,
): void {
  if (name === undefined || !report.usable('models.default_model')) return
  if (modelRoute(name, table) === undefined)
    report.add('models.default_model', showGot(name), 'name a model of the table')
}
