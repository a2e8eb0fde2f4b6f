const lines = {
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: 4096 },
  minItems: 1,
  maxItems: 64,
  description: 'Caveat lines, in order.',
} as const

const token = {
  type: 'string',
  minLength: 1,
  maxLength: 65536,
  description: 'A g1 token.',
} as const

/** Shapes of what the owner doors are sent: requests are compared with them, and the document shows them. */
export const BODIES = {
  Retain: {
    type: 'object',
    additionalProperties: false,
    required: ['before'],
    properties: {
      before: {
        type: 'string',
        pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{1,9})?Z$',
        description: 'Bodies that no exchange had since are erased (RFC 3339, in UTC).',
      },
    },
  },
  Mint: {
    type: 'object',
    additionalProperties: false,
    required: ['lines'],
    properties: {
      lines,
      id: {
        type: 'string',
        minLength: 1,
        maxLength: 128,
        description: 'The grant’s id. One is made where it is left out.',
      },
    },
  },
  Narrow: {
    type: 'object',
    additionalProperties: false,
    required: ['token', 'lines'],
    properties: { token, lines },
  },
  Revoke: {
    type: 'object',
    additionalProperties: false,
    properties: {
      link: {
        type: 'string',
        pattern: '^[A-Za-z0-9_-]{22}$',
        description: 'Ends what was narrowed from this place on, in place of the whole grant.',
      },
    },
  },
  Leash: {
    type: 'object',
    additionalProperties: false,
    required: ['lines'],
    properties: { lines },
  },
  Send: {
    type: 'object',
    additionalProperties: false,
    required: ['token', 'to'],
    properties: {
      token,
      to: {
        type: 'string',
        pattern: '^[^\\u0000-\\u001f\\u007f]{1,256}$',
        description: 'The receiver, as the configured command understands it.',
      },
    },
  },
  Person: {
    type: 'object',
    additionalProperties: false,
    properties: {
      id: {
        type: 'string',
        pattern: '^[A-Za-z0-9][A-Za-z0-9._@-]{0,127}$',
        description: 'The person’s id, as `person` and `keys` lines name it.',
      },
    },
  },
  Session: {
    type: 'object',
    additionalProperties: false,
    properties: {
      seconds: {
        type: 'integer',
        minimum: 60,
        maximum: 2592000,
        description: 'How long the session holds; eight hours where it is left out.',
      },
    },
  },
  PersonKey: {
    type: 'object',
    additionalProperties: false,
    required: ['value'],
    properties: {
      value: {
        type: 'string',
        minLength: 16,
        maxLength: 65536,
        pattern: '^[!-~](?:[\\t -~]*[!-~])?$',
        writeOnly: true,
        description: 'The upstream key. No door gives it back.',
      },
    },
  },
  LedgerQuery: {
    type: 'object',
    additionalProperties: false,
    properties: {
      where: { type: 'object', description: '`{field: value}`, or `{field: {gte: 5}}` and so on.' },
      select: { type: 'array', description: 'Fields that come back; `-` leaves one out.' },
      order: { type: 'array', description: 'Fields, `-` for descending.' },
      page: { type: 'object', description: '`{limit, cursor}`.' },
      want: { type: 'object', description: '`{shape, aggregate, format, max_bytes}`.' },
    },
  },
  Article: {
    type: 'object',
    description:
      'An article (catalog/article.schema.json); what is left out but slug and title is empty. Or `{from: {task}}`, with slug and title or without them.',
  },
  ArticleWhole: {
    type: 'object',
    required: ['slug', 'title'],
    description: 'An article; hash and times are the gateway’s, whatever is sent.',
  },
  ArticlePatch: { type: 'object', description: 'Its members replace those of the article.' },
  ArticleVerify: { type: 'object', additionalProperties: false, properties: {} },
  Why: {
    type: 'object',
    additionalProperties: false,
    required: ['token', 'method', 'url'],
    properties: {
      token,
      method: { type: 'string', minLength: 1, maxLength: 64 },
      url: {
        type: 'string',
        minLength: 1,
        maxLength: 65536,
        description: 'Where the upstream is, whatever the door.',
      },
      headers: {
        type: 'object',
        maxProperties: 256,
        additionalProperties: { type: 'string', maxLength: 65536 },
        description: 'As the client would send them, without the credential.',
      },
      body: { type: 'string', description: 'Taken for JSON where no content-type is given.' },
      door: { enum: ['proxy', 'mount'], description: '`proxy` where it is left out.' },
      cedar: { type: 'boolean', description: 'Whether to show the lines in Cedar.' },
    },
  },
} as const
