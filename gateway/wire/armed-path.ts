import type { PathSplice } from '../../adapters/upstream/port.ts'
import { refusal } from '../refusal.ts'
import { keyInUrl, type Placeholder } from './placeholders.ts'

/** What is to be put into path and query. */
export interface PathKeys {
  readonly placeholders: readonly {
    readonly placeholder: Placeholder
    readonly inPath: boolean
    readonly inQuery: boolean
    readonly key: string
  }[]
  readonly parameters: readonly { readonly name: string; readonly key: string }[]
}

/** The keys' places in the judged path, in order. A parameter that is set as a whole takes in what lies in it. */
export function splicesOf(path: string, keys: PathKeys): readonly PathSplice[] {
  const whole = keys.parameters.flatMap((parameter) => parameterSplices(path, parameter))
  const queryFrom = queryStart(path)
  const single = keys.placeholders.flatMap(({ placeholder, inPath, inQuery, key }) =>
    matchesIn(path, placeholder)
      .filter(({ from }) => (from < queryFrom ? inPath : inQuery))
      .map((place): PathSplice => ({ ...place, text: keyInUrl(key) })),
  )
  const free = single.filter(
    ({ from }) => !whole.some((other) => from >= other.from && from < other.to),
  )
  return [...whole, ...free].toSorted((one, other) => one.from - other.from)
}

/** The path as it goes out. The driver checks and makes it itself; signatures cover it. */
export function splicedPath(path: string, splices: readonly PathSplice[]): string {
  let sent = path
  for (const { from, to, text } of splices.toReversed())
    sent = sent.slice(0, from) + text + sent.slice(to)
  return sent
}

/** Whether a placeholder stands in the path where no key takes its place. */
export function holdsPlaceholder(
  path: string,
  placeholder: Placeholder,
  splices: readonly PathSplice[],
): boolean {
  return matchesIn(path, placeholder).some(
    ({ from }) => !splices.some((splice) => from >= splice.from && from < splice.to),
  )
}

interface Place {
  readonly from: number
  readonly to: number
}

function matchesIn(path: string, { url }: Placeholder): readonly Place[] {
  return [...path.matchAll(url)].map(({ index, 0: text }) => ({
    from: index,
    to: index + text.length,
  }))
}

function queryStart(path: string): number {
  const mark = path.indexOf('?')
  return mark < 0 ? path.length : mark
}

/** The values of the parameter, however its name is spelled; where it is not there, a place behind all others. */
function parameterSplices(
  path: string,
  { name, key }: { readonly name: string; readonly key: string },
): readonly PathSplice[] {
  const text = keyInUrl(key)
  const held: PathSplice[] = []
  let from = queryStart(path) + 1
  for (const pair of path.slice(from).split('&')) {
    const mark = pair.indexOf('=')
    const spelled = mark < 0 ? pair : pair.slice(0, mark)
    if (pair !== '' && decoded(spelled) === name) {
      if (mark < 0) throw withoutValue(name)
      held.push({ from: from + mark + 1, to: from + pair.length, text })
    }
    from += pair.length + 1
  }
  if (held.length > 0) return held
  const joint = path.includes('?') ? '&' : '?'
  return [{ from: path.length, to: path.length, text: `${joint}${name}=${text}` }]
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '))
  } catch {
    return name
  }
}

function withoutValue(name: string): Error {
  return refusal('malformed_request', 'query', {
    got: `the parameter ${name} without a value, where the gateway sets it`,
    repair: `leave it out, or write \`${name}=\``,
  })
}
