export const text = { type: 'string' } as const
export const time = { type: 'string', format: 'date-time' } as const
export const count = { type: 'integer', minimum: 0 } as const
export const flag = { type: 'boolean' } as const
export const orNull = <T extends object>(schema: T) => ({ anyOf: [schema, { type: 'null' }] })

export function listOf<T extends object>(items: T) {
  return { type: 'array', items } as const
}

export function shape<T extends Readonly<Record<string, object>>>(
  properties: T,
  optional: readonly (keyof T)[] = [],
) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', additionalProperties: false, required, properties } as const
}
