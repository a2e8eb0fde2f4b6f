/** The only way into this folder, and what the package publishes as `narrowgate/client`. */

export { TokenFault } from '../policy/offline.ts'
export { createClient } from './client.ts'
export type { Client, ClientOptions } from './client.ts'
export { Refused } from './refused.ts'
export type { RefusedReason } from './refused.ts'
export type {
  Answer,
  Asked,
  BatchAnswer,
  BatchCall,
  Contract,
  Control,
  Found,
  HeaderNames,
  HttpCall,
  Listed,
  Projection,
  Receipt,
  ToolCall,
  Where,
} from './types.ts'
