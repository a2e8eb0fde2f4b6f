import { pino } from 'pino'
import { TokenFault } from '../policy/index.ts'
import type { LogLevel } from './config/types.ts'
import type { Log } from './ports.ts'
import { maskTokens } from './wire/tokens.ts'

/**
 * Structured lines on standard output. Whatever field a token or key may have slipped into, the finished line is
 * masked once more before it is written: a log is read by many.
 */
export function createLog(level: LogLevel, mask: () => (text: string) => string): Log {
  const stream = { write: (line: string) => void process.stdout.write(mask()(maskTokens(line))) }
  const logger = pino({ level, base: null, serializers: { error: errorOf } }, stream)
  return {
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
  }
}

/** An error without the data that libraries hang on it, which may hold what was sent. */
function errorOf(error: unknown): unknown {
  if (error instanceof TokenFault) return { stage: error.stage, reason: error.reason }
  if (!(error instanceof Error)) return String(error)
  return { name: error.name, message: error.message, stack: error.stack }
}
