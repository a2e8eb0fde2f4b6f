export type TokenStage = 'format' | 'signature' | 'caveat' | 'delegate'

export type TokenFaultCode =
  | 'token_malformed'
  | 'token_forged'
  | 'token_unknown_caveat'
  | 'token_not_delegable'
  | 'keys_misplaced'

/** Which line is at fault; told only once the signature was found good, or by an offline command. */
export interface FaultPlace {
  readonly axis?: string | undefined
  readonly line?: string | undefined
  /** Where it differs from the stage's own code. */
  readonly code?: TokenFaultCode
}

const CODE_OF: Readonly<Record<TokenStage, TokenFaultCode>> = {
  format: 'token_malformed',
  signature: 'token_forged',
  caveat: 'token_unknown_caveat',
  delegate: 'token_not_delegable',
}

/** Why a token, or a line that should go into one, is refused. Its texts never hold the token. */
export class TokenFault extends Error {
  override readonly name = 'TokenFault'
  readonly stage: TokenStage
  readonly reason: string
  readonly code: TokenFaultCode
  readonly axis?: string
  readonly line?: string

  constructor(stage: TokenStage, reason: string, place: FaultPlace = {}) {
    super(reason)
    this.stage = stage
    this.reason = reason
    this.code = place.code ?? CODE_OF[stage]
    if (place.axis !== undefined) this.axis = place.axis
    if (place.line !== undefined) this.line = place.line
  }
}
