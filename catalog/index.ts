export { genericTool } from './tool.ts'
export type { ArgPlace, ArgSchema, ArgType, Keep, Problem, Tool } from './tool.ts'
export { canonicalHost, type CanonicalHost } from './wire/host.ts'
export { canonicalAuthority, type CanonicalAuthority } from './wire/authority.ts'
export { canonicalPath, type CanonicalPath } from './wire/path.ts'
export { plainPath } from './wire/plain-path.ts'
export { absoluteTarget, defaultPort, type AbsoluteTarget } from './wire/target.ts'
export { parseQuery, type QueryArgs } from './wire/query.ts'
export { parseAnswerHead, parseFields, parseRequestHead } from './http1/head.ts'
export type { AnswerHead, RequestHead } from './http1/head.ts'
export { ChunkDecoder } from './http1/chunks.ts'
export { groupFields, plainFields, type GroupedFields } from './http2/fields.ts'
export { requestTarget } from './wire/request-target.ts'
export type { Refused } from './wire/refusal.ts'
export type { Control, Envelope, Op } from './envelope.ts'
export type * from './want/types.ts'
export {
  checkWant,
  parseWant,
  combineWant,
  type CombinedWant,
  type ParsedWant,
} from './want/parse.ts'
export type { FieldProblem } from './check.ts'
export type { Cursors, PageCursors } from './want/page.ts'
export {
  compileProjection,
  type CompiledProjection,
  type Projection,
  type ProjectionOptions,
} from './project/projection.ts'
export {
  createProjector,
  type Projected,
  type Projector,
  type ProjectorOptions,
} from './project/projector.ts'
export { csvHeader, csvLine } from './project/csv.ts'
export { inputFormOf, type InputForm } from './project/layout.ts'
export { ProjectionFault, type FaultKind } from './project/fault.ts'
export { projectReference, type ReferenceResult } from './project/reference.ts'
export { parseEnvelope, type ParsedEnvelope } from './envelope.ts'
export { envelopeOfHttp, type HttpCall } from './http-envelope.ts'
export { contractOf } from './contract.ts'
export { envelopeOfForm } from './call-forms.ts'
export { callOfText } from './text-forms.ts'
export { writtenJson } from './written-json.ts'
export { argsOfTexts } from './text-args.ts'
export { requestOfCall, type WrittenCall, type WrittenRequest } from './http-request.ts'
export { modelOf, pathBearing, type ArgBearing } from './bearing.ts'
export { createRouter, type RouteMatch, type Router } from './route.ts'
export { parseCatalogYaml, type ParsedCatalog } from './sources/yaml.ts'
export { rowsOfOpenApi } from './sources/openapi/rows.ts'
export type { Remark } from './sources/openapi/types.ts'
export { createResolver, type Found, type Resolver } from './resolve/resolver.ts'
export { parseJsonBody, type JsonBody } from './json-body.ts'
export { recordedArgs } from './numbers.ts'
export type * from './views/types.ts'
export { EXCHANGE_FIELDS, VIEW_NAMES, VIEWS } from './views/fields.ts'
export { checkView, type CheckedView } from './views/query.ts'
export { readPlainWant, PLAIN_PARAMETERS, type Parameters } from './views/plain.ts'
export { viewResult, type ShownRow, type ViewResult } from './views/result.ts'
export { BUCKETS, keptText, keptTime } from './views/values.ts'
export { understand, type Understood } from './ask/understand.ts'
export type { KnownNames } from './ask/names.ts'
export { toolsMeant } from './ask/tools.ts'
