import { ARTICLE_SCHEMAS } from './article-schemas.ts'
import { STORE_SCHEMAS } from './store-schemas.ts'
import { TOOL_SCHEMAS } from './tool-schemas.ts'
import { count, flag, listOf, orNull, shape, text, time } from './shapes.ts'
import { VIEW_SCHEMAS } from './view-schemas.ts'

const link = {
  type: 'string',
  pattern: '^[A-Za-z0-9_-]{22}$',
  description: 'The public name of a place in a chain.',
} as const
const token = { type: 'string', description: 'A g1 token: a credential, kept nowhere.' } as const

const said = shape({ line: text, says: { type: 'string', description: 'In plain words.' } })
const grant = {
  id: text,
  minted: time,
  by: text,
  task: orNull(text),
  lines: listOf(text),
  revoked: orNull(time),
}

const reason = shape(
  { axis: text, caveat: text, leash: { const: true }, got: text, repair: text },
  ['caveat', 'leash'],
)

const note = { type: 'string', description: 'A signed note (C2SP tlog-checkpoint).' } as const
const hashes = listOf({ type: 'string', contentEncoding: 'base64' })

/** Shapes of what the owner doors answer with. */
export const SCHEMAS = {
  Problem: shape(
    {
      type: text,
      title: text,
      status: { type: 'integer', minimum: 400, maximum: 599 },
      code: { type: 'string', description: 'See docs/errors.md.' },
      refused: flag,
      ran: { enum: [true, false, 'unknown'] },
      reasons: listOf(reason),
      error: { type: 'string', description: 'The same in one line.' },
      receipt: text,
    },
    ['receipt'],
  ),
  Health: shape({ ok: { const: true } }),
  Ready: shape({ ready: { const: true } }),
  Axes: shape({
    axes: listOf(shape({ name: text, ops: listOf(text), value: text, says: text, example: text })),
  }),
  Grants: shape({ grants: listOf(shape({ ...grant, leash: listOf(text) })) }),
  Grant: shape({
    ...grant,
    leash: listOf(said),
    chain: listOf(shape({ ...said.properties, link })),
    uses: listOf(
      shape({
        link,
        limit: count,
        used: count,
        leash: { type: 'boolean', description: 'Whether the line stands in the leash.' },
      }),
    ),
    children: listOf(
      shape({
        link,
        lines: { ...listOf(text), description: 'Those that were added to the grant’s.' },
        seen: time,
      }),
    ),
    receipts: shape({
      counts: { type: 'object', additionalProperties: count },
      latest: listOf({ $ref: '#/components/schemas/Receipt' }),
    }),
  }),
  Minted: shape({ ...grant, leash: listOf(text), token }),
  Narrowed: shape({ id: text, link, token }),
  Revoked: shape({
    revoked: { type: 'string', description: 'The id or link.' },
    fresh: { type: 'boolean', description: 'False where it was revoked before.' },
    known: { type: 'boolean', description: 'Whether the grant was minted here.' },
  }),
  Leashed: shape({
    id: text,
    leash: listOf(said),
    known: { type: 'boolean', description: 'Whether the grant was minted here.' },
  }),
  Sent: shape({ id: text, link, to: text }),
  Persons: shape({ persons: listOf({ $ref: '#/components/schemas/Person' }) }),
  Person: shape({
    id: text,
    created: time,
    keys: { ...listOf(text), description: 'Names of the stored keys.' },
  }),
  Session: shape({
    person: text,
    session: { type: 'string', description: 'A credential, kept nowhere.' },
    expires: time,
  }),
  StoredKey: shape({ person: text, name: text }),
  Receipt: {
    type: 'object',
    required: ['id', 'seq', 'outcome'],
    properties: {
      id: text,
      seq: count,
      outcome: { enum: ['allowed', 'refused', 'failed', 'gone', 'unknown', 'open'] },
    },
    description: 'One exchange; docs/formats.md has its fields.',
  },
  Exchange: {
    anyOf: [{ $ref: '#/components/schemas/Receipt' }, true],
    description: 'The receipt; where something is wanted of the recorded answer, that.',
  },
  Tools: {
    description: 'Rows of the catalog, or what was wanted of them.',
  },
  ...TOOL_SCHEMAS,
  Receipts: shape({
    receipts: listOf({ $ref: '#/components/schemas/Receipt' }),
    next: { ...orNull(count), description: 'For `after`; null at the end.' },
  }),
  Retained: shape({
    before: time,
    erased: { ...count, description: 'Bodies.' },
    bytes: count,
  }),
  InclusionProof: shape({
    receipt: text,
    checkpoint: note,
    records: listOf(
      shape({
        n: { ...count, description: 'Number of the record; its leaf has the number before.' },
        line: { type: 'string', description: 'The leaf: the record’s line of the log.' },
        path: { ...hashes, description: 'The audit path, from the leaf up.' },
      }),
    ),
  }),
  ConsistencyProof: shape({
    from: count,
    to: count,
    path: hashes,
    checkpoint: { ...note, description: 'The signed head at the size `to`.' },
  }),
  ...VIEW_SCHEMAS,
  Ingested: shape({
    writer: text,
    n: { type: 'integer', description: 'Number of the last record that is kept.' },
    hash: { type: 'string', pattern: '^[0-9a-f]{64}$' },
    added: count,
    known: { type: 'integer', description: 'Records that were there already.' },
  }),
  Status: shape({
    version: text,
    configuration: text,
    started: time,
    uptime_seconds: count,
    not_ready: listOf(text),
    ledger: {
      type: 'object',
      required: ['mode', 'ready', 'head', 'lag', 'checkpoint'],
      properties: {
        mode: { enum: ['strict', 'batch', 'best-effort'] },
        ready: shape({ ok: flag, why: text }, ['why']),
        head: shape({ writer: text, n: { type: 'integer' }, hash: text }),
        lag: count,
        checkpoint: shape(
          {
            size: { ...count, description: 'How many records the last one covers.' },
            fault: { type: 'string', description: 'Why none is signed any more.' },
          },
          ['fault'],
        ),
        anchor: shape({
          backlog: { ...count, description: 'Checkpoints and segments still to be carried.' },
          away: { type: 'boolean', description: 'The bucket cannot be written to at present.' },
          forks: { ...listOf(text), description: 'Keys under which another log lies.' },
        }),
      },
    },
    exports: listOf(
      shape(
        {
          name: text,
          type: { enum: ['webhook', 'otlp', 'files', 'bucket'] },
          position: { type: 'integer', description: 'Of the last item that was acknowledged.' },
          backlog: { type: 'integer', description: 'Items that wait.' },
          delivered: count,
          failures: count,
          rejected: count,
          error: { type: 'string', description: 'Why the last delivery failed.' },
        },
        ['error'],
      ),
    ),
    mcp_servers: listOf(
      shape(
        {
          name: text,
          rows: { ...count, description: 'How many tools it listed last.' },
          down: { type: 'string', description: 'Why it is not connected.' },
        },
        ['down'],
      ),
    ),
  }),
  Why: shape(
    {
      allowed: flag,
      code: { type: 'string', description: 'Of the refusal; see docs/errors.md.' },
      status: { type: 'integer', minimum: 400, maximum: 599 },
      reasons: listOf(reason),
      would_refuse: {
        type: 'array',
        items: { type: 'object' },
        description: 'What guardrails in shadow mode would refuse the call for.',
      },
      grant: text,
      link,
      tool: text,
      args: { type: 'object' },
      lines: listOf(
        shape(
          {
            ...said.properties,
            leash: { const: true },
            verdict: { enum: ['holds', 'refuses', 'unjudged'] },
            got: text,
            repair: text,
            used: count,
          },
          ['leash', 'got', 'repair', 'used'],
        ),
      ),
      cedar: shape({
        policy: text,
        context: { type: 'object', additionalProperties: text },
      }),
    },
    ['code', 'status', 'would_refuse', 'grant', 'link', 'tool', 'args', 'cedar'],
  ),
  ...ARTICLE_SCHEMAS,
  ...STORE_SCHEMAS,
  OpenApi: {
    type: 'object',
    required: ['openapi', 'info', 'paths'],
    properties: {
      openapi: { const: '3.1.0' },
      info: { type: 'object' },
      paths: { type: 'object' },
    },
    description: 'This document.',
  },
} as const
