import { isMembers, type Members } from '../../check.ts'

/** A text of at most so many characters, cut where it can be. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

export function firstLine(text: unknown): string | undefined {
  const [line] = (textOf(text) ?? '')
    .split(/[\r\n]+/)
    .map((each) => each.trim())
    .filter(Boolean)
  return line
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function membersOf(value: unknown): Members {
  return isMembers(value) ? value : {}
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
