import { TokenFault, type TokenFaultCode, type VerifiedToken } from '../../policy/index.ts'
import type { Notes } from '../notes.ts'
import type { JudgingPorts } from '../ports.ts'
import { refusal, type Refusal } from '../refusal.ts'

const REPAIRS: Readonly<Record<TokenFaultCode, string>> = {
  token_malformed:
    'send the token exactly as it was printed, as the password in http://agent:<token>@host:port',
  token_forged: 'ask for a new token: the build key changed, or a line was edited',
  token_unknown_caveat: 'ask for a token made for this version, or narrow again with a known line',
  token_not_delegable: 'use the token as it was before the line was added',
  keys_misplaced: 'only the one who mints may set keys, as the first line',
}

/** What is said to a client that sent no credential. */
export function noCredential(): Refusal {
  return refusal('token_missing', 'token', {
    got: 'no credential',
    repair: 'set http://agent:<token>@host:port as the proxy, or send the token as the API key',
  })
}

/** The knock's credential as a token whose chain is right. Nothing of its payload is noted before that. */
export function readToken(notes: Notes, ports: JudgingPorts): VerifiedToken {
  notes.token = verifyCredential(notes.knock.credential, ports)
  return notes.token
}

/** What a client sent as its token, with its chain proved. */
export function verifyCredential(
  credential: string | undefined,
  { verifier }: Pick<JudgingPorts, 'verifier'>,
): VerifiedToken {
  if (credential === undefined) throw noCredential()
  try {
    return verifier.verify(credential)
  } catch (error) {
    if (!(error instanceof TokenFault)) throw error
    throw refusal(error.code, 'token', { got: error.reason, repair: REPAIRS[error.code] })
  }
}
