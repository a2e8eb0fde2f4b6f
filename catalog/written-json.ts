import { WrittenNumber } from './numbers.ts'

/** JSON text of a value, in which a number that no double holds stands as it was written. */
export function writtenJson(value: unknown): string {
  if (value instanceof WrittenNumber) return value[Symbol.toPrimitive]()
  if (Array.isArray(value)) return `[${value.map(writtenJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${writtenJson(member)}`,
  )
  return `{${members.join(',')}}`
}
