import {
  defaultPort,
  DIALECTS,
  modelTexts,
  writtenJson,
  type ModelCall,
  type WrittenRequest,
} from '../../catalog/index.ts'
import type { ModelPlace } from './place.ts'

/** How a call of a model is written. */
export interface ModelWriting {
  /** A value with the answers of other calls in it. */
  filled(value: unknown): unknown
  /** Name of the request field that says what is wanted of the answer. */
  readonly want: string
}

const OWN_FIELDS: readonly string[] = [
  'accept',
  'application/json',
  'user-agent',
  'narrowgate',
  'content-type',
  'application/json',
]

/** A call of a model as the request that its upstream takes, for the row of its place. */
export function requestOfModel(
  call: ModelCall,
  { tool, dialect, model, maxTokens }: ModelPlace,
  { filled, want }: ModelWriting,
): WrittenRequest {
  const { method, scheme, host, port, path } = tool
  const form = DIALECTS[dialect]
  const { temperature, max_tokens = maxTokens } = call
  const asked = { ...modelTexts(call, filled), model, temperature, max_tokens }
  return {
    method,
    origin: { scheme, host, port: port ?? defaultPort(scheme) },
    path,
    headers: [
      ...OWN_FIELDS,
      ...form.headers,
      // A row's own want might cut off what the answer is read from.
      ...(tool.want === undefined ? [] : [want, '{}']),
    ],
    body: writtenJson(form.body(asked)),
  }
}
