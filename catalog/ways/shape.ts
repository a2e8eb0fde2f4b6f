import { isMembers, type Members } from '../check.ts'
import { contractOf } from '../contract.ts'
import type { Tool } from '../tool.ts'

/**
 * The JSON Schema (2020-12) of an envelope that calls this very tool: the published one with target, operation and arguments
 * said.
 */
export function shapeOf(tool: Tool, envelope: Members): object {
  const { if: _if, then: _then, else: _else, properties, ...rest } = envelope
  const args = argsOf(tool)
  return {
    ...rest,
    title: tool.name,
    description: tool.summary,
    required: ['target', 'op', ...(args.required.length > 0 ? ['args'] : [])],
    properties: {
      ...(isMembers(properties) && properties),
      target: { const: tool.name },
      op: { const: 'call' },
      args,
    },
  }
}

function argsOf(tool: Tool) {
  const { input_schema: schema } = contractOf(tool)
  // The whole address says the others.
  const required = tool.generic === true ? ['url'] : schema.required
  return { ...schema, required, additionalProperties: tool.body === 'open' }
}
