import type { KeyBinding, KeyUse } from '../key-types.ts'
import type { Report } from '../report.ts'
import { globsMeet } from './globs.ts'

/** Reports keys of one upstream that would be put into the same place of the same call. */
export function checkKeyOverlaps(keys: readonly KeyBinding[], at: string, report: Report): void {
  for (const [index, key] of keys.entries()) {
    const rival = keys.slice(0, index).find((earlier) => overlap(earlier, key))
    if (rival === undefined) continue
    const got = `\`${key.name}\`, which takes the same place as \`${rival.name}\` in the same calls`
    report.add(at, got, 'give the two keys different methods, paths, persons or places')
  }
}

function overlap(one: KeyBinding, other: KeyBinding): boolean {
  return (
    samePerson(one, other) &&
    meet(slotsOf(one.use), slotsOf(other.use), (a, b) => a === b) &&
    meet(one.methods, other.methods, (a, b) => a === b) &&
    meet(one.paths, other.paths, globsMeet)
  )
}

/** A personal key may be anybody's whose key is set here too. */
function samePerson(one: KeyBinding, other: KeyBinding): boolean {
  const [isOnePersonal, isOtherPersonal] = [one, other].map(({ secret }) => secret === undefined)
  if (isOnePersonal === isOtherPersonal) return one.person === other.person
  return (isOnePersonal === true ? other : one).person !== undefined
}

/** The places of a call that a key takes. */
function slotsOf(use: KeyUse): readonly string[] {
  switch (use.kind) {
    case 'header':
      return [headerSlot(use.header)]
    case 'basic':
    case 'oauth':
      return [headerSlot('authorization')]
    case 'query':
      return [`parameter ${use.parameter}`]
    case 'placeholder':
      return [`placeholder ${use.text}`]
    case 'sigv4':
      return ['authorization', ...SIGNED_BY_AWS].map(headerSlot)
    case 'hmac':
      return [use.header, use.timestampHeader ?? use.header].map(headerSlot)
  }
}

const SIGNED_BY_AWS = ['x-amz-date', 'x-amz-security-token', 'x-amz-content-sha256']

function headerSlot(name: string): string {
  return `header ${name.toLowerCase()}`
}

/** Whether two lists share a member; a list that is absent holds everything. */
function meet(
  one: readonly string[] | undefined,
  other: readonly string[] | undefined,
  same: (a: string, b: string) => boolean,
): boolean {
  if (one === undefined || other === undefined) return true
  return one.some((a) => other.some((b) => same(a, b)))
}
