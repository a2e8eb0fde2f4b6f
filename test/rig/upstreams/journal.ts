import { appendFileSync, readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'

/** One request as it reached an upstream. */
export interface Arrival {
  readonly host: string
  readonly method: string
  readonly url: string
  /** As received: name, value, name, value. */
  readonly headers: readonly string[]
}

/** Writes down a request before it is answered, so that whoever holds the answer finds it. */
export function record(file: string, request: IncomingMessage): void {
  const arrival: Arrival = {
    host: request.headers.host ?? '',
    method: request.method ?? '',
    url: request.url ?? '',
    headers: request.rawHeaders,
  }
  appendFileSync(file, `${JSON.stringify(arrival)}\n`)
}

/** All requests that reached an upstream, oldest first. */
export function readJournal(file: string): readonly Arrival[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Arrival)
}

/** The values of one header of a request. */
export function headerOf(arrival: Arrival, name: string): readonly string[] {
  return arrival.headers.filter((_, at, all) => at % 2 === 1 && all[at - 1]?.toLowerCase() === name)
}
