import { listOf, orNull, shape, text } from './shapes.ts'

/** Answers about the rows of the catalog. */
export const TOOL_SCHEMAS = {
  Contract: shape({
    name: text,
    summary: text,
    input_schema: { type: 'object', description: 'JSON Schema of the arguments.' },
    binding: shape({
      method: text,
      url: { type: 'string', description: 'Scheme, host and path template.' },
      places: {
        type: 'object',
        additionalProperties: { enum: ['path', 'query', 'body', 'header'] },
      },
      body: {
        ...orNull(text),
        description: 'Media type of the body that arguments stand in.',
      },
      key: { ...orNull(text), description: 'Name of the key that the gateway puts in.' },
    }),
    want: orNull({ type: 'object' }),
    only: orNull(listOf(text)),
    rows: orNull(text),
    keep: { enum: ['upstream', 'delivered', 'hash', 'none'] },
    bears: shape({
      paths: listOf(text),
      model: orNull(text),
      runs: orNull({ const: 'code' }),
    }),
    caveats: { ...listOf(text), description: 'Lines of a token that would allow exactly this.' },
    ways: {
      ...listOf(
        shape(
          {
            way: text,
            door: text,
            language: { enum: ['shell', 'url', 'json', 'javascript', 'python'] },
            runs_with: { type: 'string', description: 'What takes the text as it is.' },
            text,
            definition: { type: 'object', description: 'The tool as a model is told of it.' },
            unavailable: { type: 'string', description: 'Why there is no text.' },
            set: { type: 'string', description: 'What gives one.' },
          },
          ['language', 'runs_with', 'text', 'definition', 'unavailable', 'set'],
        ),
      ),
      description: 'The texts by which it is called, for this gateway.',
    },
  }),
  FoundTools: shape({
    query: text,
    rows: listOf(
      shape({
        name: text,
        summary: text,
        score: { enum: [1000, 900, 800, 700, 600, 500, 300, 200] },
        matched_on: { enum: ['name', 'alias', 'row', 'typo', 'sound'] },
        matched_because: { type: 'string', description: 'In plain words.' },
      }),
    ),
  }),
} as const
