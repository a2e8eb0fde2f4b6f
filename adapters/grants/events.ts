import type { Grant, GrantEvent } from './port.ts'

/** Lines that are appended to a grant's leash. */
export interface Leashing {
  readonly id: string
  readonly lines: readonly string[]
  readonly by: string
  /** RFC 3339. */
  readonly at: string
}

export function mintedEvent({ id, lines, minted, by, task }: Grant): GrantEvent {
  const known = { event: 'grant_minted', subject: id, actor: by } as const
  return { ...known, ...(task === undefined ? {} : { task }), data: { at: minted, lines } }
}

export function revokedEvent(subject: string, by: string, at: string): GrantEvent {
  return { event: 'grant_revoked', subject, actor: by, data: { at } }
}

export function leashedEvent({ id, lines, by, at }: Leashing): GrantEvent {
  return { event: 'grant_leashed', subject: id, actor: by, data: { at, lines } }
}
