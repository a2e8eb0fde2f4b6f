import { readSpelling } from './spelling.ts'

/**
 * What a token says of itself, for showing it to its holder. Nothing is proven: anybody can write
 * such a token, so nothing may be decided, counted or recorded by it.
 * @throws TokenFault where the token is malformed
 */
export function unsafeReadToken(text: string): {
  readonly id: string
  readonly lines: readonly string[]
} {
  const { id, lines } = readSpelling(text)
  return { id, lines }
}
