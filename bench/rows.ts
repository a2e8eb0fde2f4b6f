/** One figure, or one ratio of figures, as it is printed. */
export interface Row {
  readonly name: string
  readonly value: number
  /** `×` where the value is a ratio. */
  readonly unit: string
  /** The least that the value must be. */
  readonly floor?: number
  /** The most that it may be. */
  readonly most?: number
  /** What the value is a ratio to, or what it was measured over. */
  readonly against?: string
}

/** The figures of a part, or why it could not be measured here. */
export interface Part {
  readonly rows: readonly Row[]
  readonly skipped: readonly string[]
}

const WIDTHS = { name: 52, value: 11, unit: 12, bound: 14 } as const

export function headOf(): string {
  return line({ name: 'name', value: 'value', unit: 'unit', bound: 'floor', against: 'against' })
}

export function lineOf(row: Row): string {
  const { name, value, unit, floor, most, against = '' } = row
  const held = isHeld(row) ? 'held' : 'MISSED'
  const bound =
    floor === undefined ? (most === undefined ? '–' : `≤ ${most} ${held}`) : `${floor} ${held}`
  return line({ name, value: shown(value), unit, bound, against })
}

/** Whether a row keeps its bounds, where it has one. */
export function isHeld({ value, floor = -Infinity, most = Infinity }: Row): boolean {
  return value >= floor && value <= most
}

/** The middle one; of an even count the upper one of two. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

function line(cells: Readonly<Record<keyof typeof WIDTHS | 'against', string>>): string {
  const { name, value, unit, bound, against } = cells
  const left = name.padEnd(WIDTHS.name) + value.padStart(WIDTHS.value)
  return `${left} ${unit.padEnd(WIDTHS.unit)}${bound.padEnd(WIDTHS.bound)}${against}`.trimEnd()
}

function shown(value: number): string {
  return value < 100 ? value.toFixed(2) : Math.round(value).toString()
}
