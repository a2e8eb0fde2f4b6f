import type { Dialect } from '../../catalog/index.ts'

/** Where a call of a model goes. */
export interface ModelRoute {
  /** Name, or glob, by which calls name the model. */
  readonly name: string
  /** Row of the catalog. */
  readonly tool: string
  readonly dialect: Dialect
  /** The upstream's own name; undefined where it is the one that the call names. */
  readonly model: string | undefined
  /** Of a call that says none. */
  readonly maxTokens: number | undefined
}

export interface ModelsConfig {
  /** The model of calls that name none. */
  readonly defaultModel: string | undefined
  /** Among globs the first that matches counts. */
  readonly table: readonly ModelRoute[]
}
