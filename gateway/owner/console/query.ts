import type { FastifyRequest } from 'fastify'
import { refusal, Refusal } from '../../refusal.ts'

/**
 * The parameters of an address, each given once; those without a value are as if left out, as a form sends them.
 * @throws Refusal for names that the page does not know
 */
export function readQuery<Name extends string>(
  { query }: FastifyRequest,
  names: readonly Name[],
): Readonly<Partial<Record<Name, string>>> {
  const given = Object.entries(query as Record<string, unknown>)
  checkNames(
    given.map(([name]) => name),
    names,
  )
  const twice = given.find(([, value]) => typeof value !== 'string')
  if (twice !== undefined) {
    const repair = 'give it once'
    throw refusal('malformed_request', twice[0], { got: 'several values', repair })
  }
  const pairs = given.filter(([, value]) => value !== '')
  return Object.fromEntries(pairs) as Partial<Record<Name, string>>
}

/** The lines of an address such as `/console/mint?line=tools%20%3D%20A&line=uses%20%3C%3D%205`. */
export function linesOf({ query }: FastifyRequest): readonly string[] {
  const { line, ...others } = query as Readonly<Record<string, unknown>>
  checkNames(Object.keys(others), ['line'])
  return [line].flat().filter((each) => typeof each === 'string')
}

function checkNames(given: readonly string[], known: readonly string[]): void {
  const unknown = given.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  const repair = known.length === 0 ? 'leave it out' : `use: ${known.join(', ')}`
  throw new Refusal(
    'unknown_field',
    unknown.map((name) => ({ axis: name.slice(0, 80), got: 'an unknown parameter', repair })),
  )
}
