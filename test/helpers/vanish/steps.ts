import type { Step } from './client.ts'
import { HTTP1 } from './http1.ts'
import { HTTP2, PINGED } from './http2.ts'
import { TUNNELS } from './tunnels.ts'

/** Every point in every shape at which a client may go. */
export const STEPS: readonly Step[] = [...TUNNELS, ...HTTP1, ...HTTP2, ...PINGED]
