import type { Config } from './types.ts'

/** One value of the configuration, for people. */
export interface Setting {
  /** `upstreams[0].hosts[1]` */
  readonly path: string
  readonly value: string
}

/**
 * What a configuration says, defaults filled in, value by value. Of secrets it shows where they come from; of commands
 * their program alone, since a secret may stand in an argument; of long texts how long they are.
 */
export function settingsOf(config: Config): readonly Setting[] {
  const { catalog, guardrails, ...rest } = config
  const settings = flatten('', {
    ...rest,
    catalog: catalog.map(({ name }) => name),
    guardrails: {
      mode: guardrails.mode,
      guardrails: guardrails.guardrails.map(({ name, place }) => `${name} (${place})`),
    },
  })
  return settings.toSorted((one, other) => {
    const [left, right] = [sectionOf(one), sectionOf(other)]
    return left === right ? 0 : left < right ? -1 : 1
  })
}

/** What a setting belongs to: `upstreams` of `upstreams[0].name`, and `general` of one that stands alone. */
export function sectionOf({ path }: Setting): string {
  return /^(\w+)[.[]/.exec(path)?.[1] ?? 'general'
}

const LONG = 300

function flatten(path: string, value: unknown): readonly Setting[] {
  if (path.endsWith('.command')) return [{ path, value: program(value) }]
  if (typeof value !== 'object' || value === null) return [{ path, value: show(value) }]
  const entries = Object.entries(value)
  if (entries.length === 0) return [{ path, value: 'none' }]
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object'))
    return [{ path, value: value.map(show).join(', ') }]
  return entries.flatMap(([name, item]) => {
    if (Array.isArray(value)) return flatten(`${path}[${name}]`, item)
    return flatten(path === '' ? spelled(name) : `${path}.${spelled(name)}`, item)
  })
}

/** As the file spells it: `maxHeaderBytes` is `max_header_bytes` there. */
function spelled(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function program(command: unknown): string {
  if (!Array.isArray(command)) return 'none'
  const [first, ...others] = command.map(String)
  return others.length === 0 ? `${first}` : `${first} and ${others.length} more that are not shown`
}

function show(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'none'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > LONG ? `a text of ${text.length} characters` : text
}
