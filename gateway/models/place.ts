import type { Dialect, Tool } from '../../catalog/index.ts'
import { modelRoute, type Config } from '../config/index.ts'
import { refusal } from '../refusal.ts'

/** Where the calls of a model go. */
export interface ModelPlace {
  readonly tool: Tool
  readonly dialect: Dialect
  /** The upstream's own name of the model. */
  readonly model: string
  /** Of a call that says none. */
  readonly maxTokens: number | undefined
}

/** What it takes to find it. */
export interface ModelPorts {
  readonly config: Pick<Config, 'models'>
  readonly tool: (name: string) => Tool | undefined
}

/**
 * The place of a model by the configured table.
 * @throws Refusal for a model that the table does not have
 */
export function placeOf(name: string | undefined, { config, tool }: ModelPorts): ModelPlace {
  const { defaultModel, table } = config.models
  const model = name ?? defaultModel
  if (model === undefined) {
    const repair = 'name a model, or ask the operator to set `models.default_model`'
    throw refusal('malformed_request', 'model', { got: 'nothing', repair })
  }
  const route = modelRoute(model, table)
  const row = route === undefined ? undefined : tool(route.tool)
  if (route === undefined || row === undefined)
    throw refusal('not_found', 'model', {
      got: `\`${model}\``,
      repair: 'name a model that the operator lists under `models.table`, or leave it out',
    })
  return {
    tool: row,
    dialect: route.dialect,
    model: route.model ?? model,
    maxTokens: route.maxTokens,
  }
}
