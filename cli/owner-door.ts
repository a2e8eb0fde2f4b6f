import { Agent, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { splitAddress } from '../sidecar/probe.ts'

/** What an owner door answered. */
export interface OwnerAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** Posts JSON to an owner door of a running gateway. Rejects where nothing answers. */
export async function postToOwner(
  { owner, key }: { readonly owner: string; readonly key: string },
  path: string,
  body: object,
): Promise<OwnerAnswer> {
  // An agent of its own, since the global one may follow proxy variables.
  const agent = new Agent()
  try {
    return await new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      request({ ...splitAddress(owner), method: 'POST', path, headers, agent }, (answer) => {
        const status = answer.statusCode ?? 0
        json(answer).then((said) => resolve({ status, body: said as OwnerAnswer['body'] }), reject)
      })
        .on('error', reject)
        .end(JSON.stringify(body))
    })
  } finally {
    agent.destroy()
  }
}
