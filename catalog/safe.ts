import type { Tool } from './tool.ts'

/** Methods that change nothing (RFC 9110, 9.2.1). */
const SAFE: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/** Whether a row changes nothing, as its method or its server says: a link that is only opened may run it. */
export function isSafe({ method, reads }: Pick<Tool, 'method' | 'reads'>): boolean {
  return reads === true || SAFE.includes(method)
}
