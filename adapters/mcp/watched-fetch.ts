import { boundedBody } from './bounded.ts'
import { faultOf, Said } from './fault.ts'
import type { McpFetch } from './port.ts'

/**
 * Tells when a connection serves no more: its host does not answer, a stream breaks off, or the server does not know the session
 * any longer (404, by the protocol). Bodies are bounded.
 */
export function watchedFetch(fetch: McpFetch, lost: (why: Error) => void): McpFetch {
  return async (url, init) => {
    const isAborted = () => init?.signal?.aborted === true
    const broken = (error: Error) => {
      if (!isAborted()) lost(faultOf(error))
    }
    let response: Response
    try {
      response = await fetch(url, init)
    } catch (error) {
      broken(error as Error)
      throw error
    }
    if (response.status === 404 && new Headers(init?.headers).has('mcp-session-id'))
      lost(new Said('the server does not know the session any longer'))
    if (response.body === null) return response
    const { status, statusText, headers } = response
    const events = headers.get('content-type')?.startsWith('text/event-stream') === true
    const body = boundedBody(response.body, events ? 'events' : 'whole', broken)
    return new Response(body, { status, statusText, headers })
  }
}
