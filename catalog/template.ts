/** A segment of a path template: texts with a parameter between each two, `v{id}.json`. */
export interface Segment {
  /** One more than there are parameters; those at the ends may be empty. */
  readonly texts: readonly string[]
  readonly names: readonly string[]
}

/** The segments of a template; a parameter is its name in braces. */
export function templateSegments(template: string): readonly Segment[] {
  return template.slice(1).split('/').map(readSegment)
}

function readSegment(segment: string): Segment {
  if (!segment.includes('{')) return { texts: [segment], names: [] }
  const parts = segment.split(/\{([^{}]+)\}/)
  return {
    texts: parts.filter((_, at) => at % 2 === 0),
    names: parts.filter((_, at) => at % 2 === 1),
  }
}

/** The names of a template's parameters, in order. */
export function parameterNames(template: string): readonly string[] {
  return templateSegments(template).flatMap(({ names }) => names)
}

/** Whether a segment is one parameter and nothing besides. */
export function isWhole({ texts }: Segment): boolean {
  return texts.length === 2 && texts[0] === '' && texts[1] === ''
}

/** A segment with these in the places of its parameters. */
export function filledSegment({ texts }: Segment, values: readonly string[]): string {
  return texts.map((text, at) => `${text}${values[at] ?? ''}`).join('')
}

/**
 * The values of a segment's parameters, none of them empty; undefined for a text that is not of it. Where texts stand between
 * parameters there may be several ways to part them, of which none is right for everybody: then it is `ambiguous`.
 */
export function valuesIn(
  { texts }: Segment,
  text: string,
): readonly string[] | 'ambiguous' | undefined {
  const [start = '', ...behind] = texts
  const end = behind.pop()
  if (end === undefined) return text === start ? [] : undefined
  const to = text.length - end.length
  if (to <= start.length || !text.startsWith(start) || !text.endsWith(end)) return undefined
  if (behind.length === 0) return [text.slice(start.length, to)]
  const bounds = { text, from: start.length, to }
  const first = firstPlaces(behind, bounds)
  if (first === undefined) return undefined
  const last = lastPlaces(behind, bounds)
  if (first.some((place, at) => place !== last[at])) return 'ambiguous'
  return [...first, to].map((place, at) => {
    return text.slice(at === 0 ? start.length : first[at - 1]! + behind[at - 1]!.length, place)
  })
}

interface Bounds {
  readonly text: string
  readonly from: number
  readonly to: number
}

/** Where the texts between parameters stand, each as early as it can; undefined where they do not fit. */
function firstPlaces(
  between: readonly string[],
  { text, from, to }: Bounds,
): readonly number[] | undefined {
  const places: number[] = []
  let at = from
  for (const one of between) {
    const place = text.indexOf(one, at + 1)
    if (place < 0 || place + one.length >= to) return undefined
    places.push(place)
    at = place + one.length
  }
  return places
}

/** The same, each as late as it can. */
function lastPlaces(between: readonly string[], { text, to }: Bounds): readonly number[] {
  const places: number[] = []
  let at = to
  for (const one of between.toReversed()) {
    at = text.lastIndexOf(one, at - 1 - one.length)
    places.unshift(at)
  }
  return places
}
