import type { Ask } from '../ask.ts'
import type { Axis, Refusal } from '../axis.ts'
import { PATH, PATHS, RUNS_CODE } from '../cedar/attributes.ts'
import { any, pattern, quoteSet } from '../cedar/text.ts'
import { orList, readList } from '../lists.ts'
import { canonicalPath, isInside } from '../paths.ts'
import { isJudgeable, show } from '../text.ts'
import { bornValues, MAX_VALUES } from '../values.ts'

/** In which folders the paths of a call must lie. */
export const area: Axis = {
  name: 'area',
  ops: ['='],
  value: 'path prefixes, parted by commas',
  says: 'every path-bearing argument lies in one of them',
  example: 'area = /home/u/src/,/tmp/u',
  read({ value }) {
    const prefixes = readPrefixes(value)
    if (typeof prefixes === 'string') return prefixes
    return {
      get words() {
        return `only paths in ${orList(prefixes)}`
      },
      refuses: (ask) => refuses(prefixes, ask),
      cedar: {
        attributes: [RUNS_CODE, PATHS, PATH],
        condition({ at, has }) {
          const path = at(PATH.key)
          const kind = at(PATHS.key)
          const inside = any([
            `${quoteSet(prefixes)}.contains(${path})`,
            ...prefixes.map(
              (prefix) => `${path} like ${pattern([prefix === '/' ? '/' : `${prefix}/`, ''])}`,
            ),
          ])
          const within = `${kind} == "values" && ${has(PATH.key)} && ${inside}`
          return `!${at(RUNS_CODE.key)} && (${kind} == "none" || (${within}))`
        },
      },
    }
  },
}

/** Each once, in canonical form. */
function readPrefixes(value: string): readonly string[] | string {
  const items = readList(value)
  if (typeof items === 'string') return items
  const prefixes = new Set<string>()
  for (const item of items) {
    const prefix = canonicalPath(item)
    if (prefix === undefined) return `\`${item}\` has no canonical form; write the plain path`
    prefixes.add(prefix)
  }
  return [...prefixes]
}

function refuses(prefixes: readonly string[], { paths, runsCode }: Ask): Refusal | undefined {
  const area = orList(prefixes)
  if (runsCode) {
    return outside('a call that runs code', `use a runner that is confined to ${area}`)
  }
  if (paths.kind === 'none') return undefined
  if (paths.kind === 'unknown') {
    return outside('a call of which no paths are known', 'call a tool of the catalog')
  }
  const values = bornValues(paths)
  if (values.length === 0) {
    const got = paths.values.length === 0 ? 'no path' : `${paths.values.length} paths`
    return outside(got, `name 1 to ${MAX_VALUES} paths in ${area}`)
  }
  const stray = values.findIndex((path) => !liesIn(prefixes, path))
  if (stray < 0) return undefined
  return outside(show(values[stray]), `use paths in ${area}, written plainly`)
}

function liesIn(prefixes: readonly string[], value: unknown): boolean {
  const path = isJudgeable(value) ? canonicalPath(value) : undefined
  return path !== undefined && prefixes.some((prefix) => isInside(path, prefix))
}

function outside(got: string, repair: string): Refusal {
  return { code: 'area_outside', got, repair }
}
