import type { AttemptNotes } from '../attempt.ts'
import type { Dialler } from '../dial.ts'
import { codeOf, Fault } from '../fault.ts'
import type { Answer, UpstreamRequest } from '../port.ts'
import type { Plan } from '../route.ts'
import { Http2Attempt } from './attempt.ts'
import { Sessions } from './sessions.ts'
import type { Spares } from './spares.ts'

interface EngineParts {
  readonly dialler: Dialler
  /** Gets the connections of upstreams that speak HTTP/1.1 alone. */
  readonly spares: Spares
  readonly count: (event: 'opened' | 'reused') => void
}

/** One request on its way, and what is noted of it. */
export interface Call {
  readonly request: UpstreamRequest
  readonly plan: Plan
  readonly notes: AttemptNotes
}

/** Sends requests over HTTP/2 where the upstream and the client both speak it, or the upstream speaks nothing else. */
export class Http2Engine {
  readonly #sessions: Sessions

  constructor(parts: EngineParts) {
    this.#sessions = new Sessions(parts)
  }

  /** Upgrades are of HTTP/1.1, and without TLS nobody says what is spoken. */
  takes({ http2 = false, upgrade }: UpstreamRequest, plan: Plan): boolean {
    if (!plan.secure || upgrade) return false
    return http2 || this.#sessions.onlyProtocol(plan) === 'h2'
  }

  /** Undefined, and nothing sent, where the upstream speaks HTTP/1.1 alone. */
  async send({ request, plan, notes }: Call): Promise<Answer | undefined> {
    const { signal, timeouts } = request
    const attempt = new Http2Attempt({ request, plan, notes })
    const session = await this.#sessions.hold(plan, { signal, timeout: timeouts.connect })
    if (session === undefined) return undefined
    try {
      return await attempt.run(session)
    } catch (error) {
      if (attempt.wantsHttp1) this.#sessions.learn(plan, 'http/1.1')
      throw error
    }
  }

  /** Whether an upstream was reached that does not speak HTTP/1.1, by the fault of whoever tried; it is remembered. */
  isHttp2Only(error: unknown, { request, plan }: Call): boolean {
    const refused =
      error instanceof Fault &&
      codeOf(error.cause) === 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL' &&
      plan.secure &&
      !request.upgrade
    if (refused) this.#sessions.learn(plan, 'h2')
    return refused
  }

  destroy(): void {
    this.#sessions.destroy()
  }
}
