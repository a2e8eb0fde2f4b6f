import type { ArgSchema, Tool } from '../tool.ts'

/** Arguments for an example: the same ones each time, those first without which there is no call. */
export function sampleArgs(tool: Tool): Readonly<Record<string, unknown>> {
  if (tool.generic === true) return { url: 'https://example.com/' }
  const args = Object.entries(tool.args.properties)
  const [needed, others] = [true, false].map((needs) =>
    args.filter(([, { required = false }]) => required === needs),
  )
  return Object.fromEntries(
    [...needed!, ...others!].map(([name, schema]) => [name, sampleOf(schema)]),
  )
}

function sampleOf({ type = 'string', enum: choices = [] }: ArgSchema): unknown {
  const [first] = choices
  if (first === undefined) return SAMPLES[type]
  return type === 'array' ? [first] : first
}

const SAMPLES = {
  string: 'text',
  integer: 1,
  number: 1.5,
  boolean: true,
  array: ['text'],
  object: { name: 'text' },
} as const satisfies Record<NonNullable<ArgSchema['type']>, unknown>
