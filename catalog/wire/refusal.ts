/** Why a name cannot be made canonical: a phrase fit for an error text, with the repair where there is one. */
export interface Refused {
  readonly ok: false
  readonly reason: string
}

/** Makes the refusal of a name. */
export function refused(reason: string): Refused {
  return { ok: false, reason }
}
