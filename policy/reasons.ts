/** One line's refusal, with what it takes to be let through. A refused call carries all of them. */
export interface Reason {
  /** The error code, such as `tool_not_granted`. */
  readonly code: string
  /** The axis that refuses; `grant` for the grant as a whole, `cedar` for the second engine. */
  readonly axis: string
  /** The caveat line that refuses, as it stands in the token; empty where no single line does. */
  readonly caveat: string
  /** Set where the line stands in no token: an owner put it on the grant afterwards. */
  readonly leash?: true
  readonly got: string
  readonly repair: string
}
