import { openEmbeddedGrants } from '../../../adapters/grants/embedded.ts'
import { databaseFiles, statePaths } from '../../../gateway/state/paths.ts'
import { unsafeReadToken } from '../../../policy/index.ts'
import { eventually } from '../../helpers/gateway.ts'
import type { TestGateway } from '../../helpers/gateway.ts'
import { DIRECT, revokeFirst, revokeLinkFirst } from '../refusal-cases.ts'
import type { Case } from '../refusal-cases.ts'
import { nothingSent, proofOf } from './scene.ts'

// Tokens that are none, or have ended.

const FORGED = `g1.${Buffer.from('{"i":"x","c":[]}').toString('base64url')}.${'A'.repeat(43)}`

/** Bad in itself; in a tunnel it shows with the CONNECT. */
const BAD: readonly Case[] = [
  // A challenge, not a receipt.
  { code: 'token_missing', token: null, receipt: false, on: DIRECT },
  { code: 'token_malformed', token: 'no-token', on: DIRECT },
  { code: 'token_forged', token: FORGED, on: DIRECT },
  { code: 'token_unknown_caveat', forged: ['tools = *', 'moon = full'], on: DIRECT },
  { code: 'token_unknown_caveat', forged: ['uses < 3'], on: DIRECT },
  { code: 'token_not_delegable', forged: ['delegate = no', 'tools = HTTP_GET'], on: DIRECT },
  { code: 'keys_misplaced', forged: ['tools = *', 'keys = alice'], on: DIRECT },
]

const bad = proofOf({ name: 'a bad token', calls: BAD, connects: BAD, end: nothingSent })

/** Puts a line on the grant that no gateway of this version would take, as one of a later version may have. */
async function leashUnknown(gateway: TestGateway, token: string): Promise<void> {
  const grants = openEmbeddedGrants({ file: databaseFiles(statePaths(gateway.state)).grants })
  const { id } = unsafeReadToken(token)
  await grants.leash(id, ['moon = full'], { by: 'test', now: Date.now() })
  await grants.close()
  const seen = async () =>
    (await gateway.ask('absolute', { token })).header('refused') === 'token_unknown_caveat'
  if (!(await eventually(seen))) throw new Error('the gateway never saw the leash')
}

const ended = proofOf({
  name: 'a grant or a link that has ended, or has a leash that nobody can read',
  calls: [
    { code: 'revoked', before: revokeFirst },
    { code: 'revoked', before: revokeLinkFirst },
    { code: 'token_unknown_caveat', before: leashUnknown },
  ],
})

export const TOKENS = [bad, ended]
