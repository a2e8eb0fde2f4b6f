import { Agent, request as requestPlain, type IncomingMessage } from 'node:http'
import { Agent as SecureAgent, request as requestSecure } from 'node:https'
import { EXIT, Fault } from './exit.ts'

/** Where a gateway's holder doors are, and who asks. */
export interface Holder {
  /** Scheme and authority, with or without a path before the doors. */
  readonly url: string
  readonly token: string
}

/** A text that is posted to a door. */
export interface HolderPost {
  readonly path: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** What a holder door answered; its body is still on its way. */
export interface HolderAnswer {
  readonly status: number
  /** Id of the receipt. */
  readonly receipt: string | undefined
  /** Code of a refusal by the gateway. */
  readonly refused: string | undefined
  readonly body: AsyncIterable<unknown>
}

/**
 * Posts a text to a holder door of a running gateway.
 * @throws Fault where nothing answers
 */
export async function postToHolder(
  { url, token }: Holder,
  post: HolderPost,
): Promise<HolderAnswer> {
  const target = holderDoorAt(url, post.path)
  const isSecure = target.protocol === 'https:'
  // An agent of its own, since the global one may follow proxy variables.
  const agent = isSecure ? new SecureAgent() : new Agent()
  const headers = {
    ...post.headers,
    authorization: `Bearer ${token}`,
    'content-type': post.body.startsWith('{') ? 'application/json' : 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(post.body),
  }
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = isSecure ? requestSecure : requestPlain
    request(target, { method: 'POST', headers, agent }, resolve).on('error', reject).end(post.body)
  }).catch((error: NodeJS.ErrnoException) => {
    const why = error.code ?? error.message
    throw new Fault(
      EXIT.unreachable,
      `no gateway answers at \`${target.origin}\`: ${why}`,
      'start narrowgate serve, or set NARROWGATE_GATEWAY',
    )
  })
  return {
    status: answer.statusCode ?? 0,
    receipt: one(answer.headers['receipt']),
    refused: one(answer.headers['refused']),
    body: answer,
  }
}

/**
 * The address of a holder door at a gateway, whose own address may be written without `http://`.
 * @throws Fault for what is no such address, or has a token in it
 */
export function holderDoorAt(gateway: string, path: string): URL {
  const address = /^https?:\/\//.test(gateway) ? gateway : `http://${gateway}`
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url !== undefined && url.pathname === '/' && url.username === '' && url.search === '')
    return new URL(path, url)
  throw new Fault(
    EXIT.usage,
    'gateway: that is no address of a gateway',
    'write it as http://host:port, without a path and a token',
  )
}

function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
