/** One figure, or one ratio of figures, as it is printed. */
export interface Row {
  readonly name: string
  readonly value: number
  /** `×` where the value is a ratio. */
  readonly unit: string
  /** The least that the value must be. */
  readonly floor?: number
  /** What the value is a ratio to, or what it was measured over. */
  readonly against?: string
}

/** The figures of a part, or why it could not be measured here. */
export interface Part {
  readonly rows: readonly Row[]
  readonly skipped: readonly string[]
}

const WIDTHS = { name: 52, value: 11, unit: 12, floor: 10 } as const

export function headOf(): string {
  return line({ name: 'name', value: 'value', unit: 'unit', floor: 'floor', against: 'against' })
}

export function lineOf({ name, value, unit, floor, against = '' }: Row): string {
  const held = floor === undefined ? '–' : `${floor} ${value >= floor ? 'held' : 'MISSED'}`
  return line({ name, value: shown(value), unit, floor: held, against })
}

/** Whether a row reaches its floor, where it has one. */
export function isHeld({ value, floor }: Row): boolean {
  return floor === undefined || value >= floor
}

/** The middle one; of an even count the upper one of two. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

function line(cells: Readonly<Record<keyof typeof WIDTHS | 'against', string>>): string {
  const { name, value, unit, floor, against } = cells
  const left = name.padEnd(WIDTHS.name) + value.padStart(WIDTHS.value)
  return `${left} ${unit.padEnd(WIDTHS.unit)}${floor.padEnd(WIDTHS.floor)}${against}`.trimEnd()
}

function shown(value: number): string {
  return value < 100 ? value.toFixed(2) : Math.round(value).toString()
}
