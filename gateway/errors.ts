/** One row of the table of codes: its HTTP status and the title of its problem document (RFC 9457). */
export interface ErrorRow {
  readonly status: number
  readonly title: string
}

/** Every code that a refusal or failure can carry. docs/errors.md has a section for each; a test compares both ways. */
export const ERRORS = {
  token_missing: { status: 401, title: 'no token was sent' },
  token_malformed: { status: 401, title: 'the token is not a well-formed g1 token' },
  token_forged: { status: 401, title: 'the token was not made with a build key of this gateway' },
  token_unknown_caveat: {
    status: 401,
    title: 'the token holds a line that this gateway does not know',
  },
  token_not_delegable: {
    status: 401,
    title: 'the token was narrowed after a line that forbids it',
  },
  owner_key_missing: { status: 401, title: 'no owner key was sent' },
  owner_key_wrong: { status: 401, title: 'the owner key is not this gateway’s' },
  tool_not_granted: { status: 403, title: 'the token does not grant this tool' },
  way_not_granted: { status: 403, title: 'the token does not grant this way of calling' },
  expired: { status: 403, title: 'the token has expired' },
  task_mismatch: { status: 403, title: 'the call names a task outside the token’s' },
  area_outside: { status: 403, title: 'a path lies outside the token’s area' },
  arg_refused: { status: 403, title: 'an argument breaks a rule of the token' },
  person_mismatch: { status: 403, title: 'the token is for another person' },
  session_invalid: { status: 403, title: 'the session of the person does not hold' },
  model_not_granted: { status: 403, title: 'the token does not grant this model' },
  form_refused: { status: 403, title: 'the form was not sent from a page of the console' },
  origin_refused: { status: 403, title: 'a page of another origin may not do this' },
  keys_misplaced: { status: 403, title: 'a keys line stands where it may not' },
  revoked: { status: 403, title: 'the grant has been revoked' },
  guardrail: { status: 403, title: 'an operator’s guardrail forbids the call' },
  policy_disagreement: { status: 403, title: 'the two policy engines disagree' },
  address_refused: { status: 403, title: 'the host’s address may not be reached' },
  placeholder_not_for_host: {
    status: 403,
    title: 'a key placeholder was sent to a host that has no such key',
  },
  key_unavailable: { status: 502, title: 'the key for the call could not be got' },
  host_unknown: { status: 403, title: 'the host is not one that this gateway serves' },
  uses_spent: { status: 429, title: 'the uses that the token grants are spent' },
  rate_limited: { status: 429, title: 'too many requests' },
  malformed_request: { status: 400, title: 'the request is malformed' },
  unknown_field: { status: 400, title: 'the request holds a field that is not known' },
  not_supported: {
    status: 400,
    title: 'the request asks for something that this version does not do',
  },
  no_rows: { status: 400, title: 'the answer has no rows to filter, order or page' },
  not_found: { status: 404, title: 'there is nothing at this address' },
  door_closed: { status: 404, title: 'the door is not open at this gateway' },
  method_not_allowed: { status: 405, title: 'the address does not take this method' },
  precondition_failed: { status: 412, title: 'the object is not in the state that was asked for' },
  precondition_required: {
    status: 428,
    title: 'the change does not name the state that it is made of',
  },
  range_unsatisfiable: { status: 416, title: 'the object has no byte of the range' },
  read_only: { status: 403, title: 'the bucket can only be read' },
  id_taken: { status: 409, title: 'the id is taken' },
  chain_gap: { status: 409, title: 'a recorder’s log lacks what comes before' },
  chain_fork: { status: 409, title: 'a recorder’s log is not the one that is kept' },
  chain_mismatch: { status: 409, title: 'a line of a recorder’s log has a hash that does not fit' },
  dependency_failed: { status: 424, title: 'a call of the batch that this one needs has failed' },
  too_large: { status: 413, title: 'the request is too large' },
  authority_mismatch: { status: 421, title: 'the tunnel, the TLS name and the Host do not agree' },
  headers_too_large: { status: 431, title: 'the request’s header fields are too large' },
  internal_error: { status: 500, title: 'the gateway met a fault of its own' },
  upstream_failed: { status: 502, title: 'the upstream gave no answer' },
  upstream_invalid: { status: 502, title: 'the upstream’s answer is invalid' },
  encoding_not_inspectable: {
    status: 502,
    title: 'the upstream’s answer has a coding that cannot be inspected',
  },
  send_failed: { status: 502, title: 'the link could not be sent' },
  upstream_timeout: { status: 504, title: 'the upstream did not answer in time' },
  not_ready: { status: 503, title: 'the gateway is not ready' },
  store_unavailable: { status: 503, title: 'the place where the bucket lies does not answer' },
  ledger_unavailable: { status: 503, title: 'nothing can be recorded, so nothing is let through' },
  ledger_damaged: { status: 503, title: 'the log is not the one that was signed' },
  index_unavailable: { status: 503, title: 'the index of the ledger does not answer' },
  index_behind: { status: 503, title: 'the index of the ledger has not come so far' },
  revocation_unavailable: {
    status: 503,
    title: 'revocations cannot be read, so nothing is let through',
  },
  overloaded: { status: 503, title: 'the gateway is overloaded' },
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof ERRORS
