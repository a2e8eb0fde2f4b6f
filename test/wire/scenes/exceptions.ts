import type { ErrorCode } from '../../../gateway/errors.ts'
import { CALL_WAYS } from './scene.ts'
import type { Way } from './scene.ts'

/** Refusals that no scene brings about, and why. */
export interface Exception {
  readonly codes: readonly ErrorCode[]
  readonly ways: readonly Way[]
  readonly why: string
  /** The test that brings them about in its own way, and what it has to speak of for that besides the codes. */
  readonly test?: { readonly file: string; readonly words: readonly string[] }
}

const INSIDE = CALL_WAYS.filter((way) => way.includes('tunnel'))
const MOUNTED = CALL_WAYS.filter((way) => way.endsWith('mount'))

export const EXCEPTIONS: readonly Exception[] = [
  {
    codes: ['task_mismatch'],
    ways: CALL_WAYS,
    why: 'no door lets a call name a task yet',
  },
  {
    codes: ['ledger_unavailable'],
    ways: CALL_WAYS,
    why: 'it takes a disk that can be filled, and so a process in namespaces of its own',
    test: {
      file: 'test/flow/ledger-unavailable.test.ts',
      words: ['SHAPES', 'UPGRADES', 'CONNECT'],
    },
  },
  {
    codes: [
      'owner_key_missing',
      'owner_key_wrong',
      'not_found',
      'method_not_allowed',
      'id_taken',
      'send_failed',
      'read_only',
      'store_unavailable',
    ],
    ways: CALL_WAYS,
    why: 'of the gateway’s own doors alone',
  },
  {
    codes: ['dependency_failed'],
    ways: CALL_WAYS,
    why: 'of batches alone, whose calls take values from each other',
    test: { file: 'test/flow/batch.test.ts', words: [] },
  },
  {
    codes: ['door_closed'],
    ways: CALL_WAYS,
    why: 'of the holder’s doors alone that the configuration opens',
    test: { file: 'test/flow/graphql.test.ts', words: [] },
  },
  {
    codes: ['origin_refused'],
    ways: CALL_WAYS,
    why: 'of the holder’s own WebSockets alone',
    test: { file: 'test/flow/socket.test.ts', words: [] },
  },
  {
    codes: ['form_refused'],
    ways: CALL_WAYS,
    why: 'of the console’s forms alone, which are told it on a page',
    test: { file: 'test/gateway/owner/console/forms.test.ts', words: [] },
  },
  {
    codes: ['ledger_damaged'],
    ways: CALL_WAYS,
    why: 'of the owner’s proofs alone, where the log is not what was signed',
    test: { file: 'test/gateway/owner/proofs.test.ts', words: [] },
  },
  {
    codes: ['index_unavailable', 'index_behind'],
    ways: CALL_WAYS,
    why: 'of the owner’s views of the ledger alone',
    test: { file: 'test/gateway/owner/views.test.ts', words: [] },
  },
  {
    codes: ['chain_gap', 'chain_fork', 'chain_mismatch'],
    ways: CALL_WAYS,
    why: 'of the door alone by which recorders bring their logs',
    test: { file: 'test/flow/ingest.test.ts', words: [] },
  },
  {
    codes: ['precondition_failed', 'range_unsatisfiable'],
    ways: CALL_WAYS,
    why: 'of the store’s doors alone, by the state of an object',
    test: { file: 'test/gateway/owner/store.test.ts', words: [] },
  },
  {
    codes: ['precondition_required'],
    ways: CALL_WAYS,
    why: 'of the owner’s doors for articles alone',
    test: { file: 'test/flow/articles.test.ts', words: [] },
  },
  {
    codes: ['token_missing', 'token_malformed', 'token_not_delegable', 'keys_misplaced'],
    ways: INSIDE,
    why: 'a credential is judged with the CONNECT, and in a tunnel that stands it is none of these',
  },
  {
    codes: ['overloaded'],
    ways: CALL_WAYS.filter((way) => way !== 'connect'),
    why: 'tunnels are counted; connections past their limit are closed without a word',
  },
  {
    codes: ['host_unknown'],
    ways: ['connect'],
    why: 'a tunnel is read unless its host is listed as one that is not',
  },
  {
    codes: ['host_unknown'],
    ways: MOUNTED,
    why: 'where a mount leads is known by being mounted',
  },
  {
    codes: ['authority_mismatch'],
    ways: [...MOUNTED, 'connect'],
    why: 'a mount serves under any Host, and a CONNECT’s Host may be the proxy’s',
  },
  {
    codes: ['too_large'],
    ways: ['connect'],
    why: 'a target so long is no host and port',
  },
  {
    codes: [
      'unknown_field',
      'not_supported',
      'no_rows',
      'encoding_not_inspectable',
      'placeholder_not_for_host',
      'key_unavailable',
      'upstream_invalid',
      'upstream_timeout',
      'internal_error',
    ],
    ways: ['connect'],
    why: 'they are about fields, keys and answers, of which a tunnel that is not read has none',
  },
]
