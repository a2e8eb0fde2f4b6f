import { readPlainRequest } from '../../../../gateway/doors/fast/plain-request.ts'
import type { PlainRequest } from '../../../../gateway/doors/fast/plain-request.ts'
import { openParser } from './llhttp.ts'
import type { ReadByNode } from './llhttp.ts'
import { mutant, random } from './mutants.ts'

export interface FuzzResult {
  /** Mutants that the fast engine would serve. */
  readonly accepted: number
  /** Those of them that llhttp refuses, or reads otherwise. */
  readonly differences: readonly string[]
}

/** Holds the fast engine's reading of mutated requests against llhttp's: what it accepts, llhttp reads as the same. */
export async function fuzz(count: number, seed: number): Promise<FuzzResult> {
  const next = random(seed)
  const parser = openParser()
  const differences: string[] = []
  let accepted = 0
  for (let turn = 0; turn < count; turn += 1) {
    const text = mutant(next)
    const end = text.indexOf('\r\n\r\n')
    const plain = end < 0 ? undefined : readPlainRequest(text.slice(0, end))
    if (plain === undefined) continue
    accepted += 1
    const [first] = await parser.read(text)
    if (!isSame(plain, first)) differences.push(JSON.stringify({ text, plain, first }))
  }
  return { accepted, differences }
}

function isSame(plain: PlainRequest, read: ReadByNode | undefined): boolean {
  return (
    read !== undefined &&
    read.version === '1.1' &&
    read.method === plain.method &&
    read.target === plain.target &&
    JSON.stringify(read.headers) === JSON.stringify(plain.headers)
  )
}
