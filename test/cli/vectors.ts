import { readFileSync } from 'node:fs'

export interface Vector {
  readonly name: string
  readonly build_key: string
  readonly token: unknown
  readonly expect: 'accept' | 'refuse'
  readonly stage: string
  readonly id?: string
  readonly caveats?: readonly string[]
}

interface VectorFile {
  readonly vectors: readonly Vector[]
  readonly extra: readonly Vector[]
}

/** The token vectors that an independent program made. */
export function readVectors(): readonly Vector[] {
  const file = new URL('../vectors/g1.json', import.meta.url)
  const { vectors, extra } = JSON.parse(readFileSync(file, 'utf8')) as VectorFile
  return [...vectors, ...extra]
}
