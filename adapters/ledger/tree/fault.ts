/** A place where a log is not what was signed or written. */
export interface TreeDamage {
  readonly file: string
  /** Number of the record that does not fit. */
  readonly record: number
  readonly offset: number
  readonly what: string
}

/** Thrown where a tree must not be signed, since its log is damaged. */
export class TreeFault extends Error {
  readonly damage: TreeDamage

  constructor(damage: TreeDamage) {
    super(`${damage.file}: record ${damage.record}: ${damage.what}`)
    this.damage = damage
  }
}
