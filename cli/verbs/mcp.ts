import { gatewayAddress } from '../../sidecar/join.ts'
import { EXIT, Fault } from '../exit.ts'
import { holderDoorAt } from '../holder-door.ts'
import { PLACE } from '../options.ts'
import { openPlace } from '../place.ts'
import { defineVerb } from '../verb.ts'

/** Joins a client that speaks MCP over standard input and output to the gateway's MCP door. */
export const mcp = defineVerb({
  options: {
    ...PLACE,
    gateway: {
      type: 'string',
      requiresArg: true,
      describe:
        'http://host:port or https://host of the gateway; also NARROWGATE_GATEWAY, else the one that runs on this state',
    },
  },
  examples: [
    ['', 'NARROWGATE_TOKEN holds the token'],
    ['--gateway http://10.0.0.5:3128', 'for a gateway on another machine'],
  ],
  async run(values, terminal) {
    const { env, stdin, out, err } = terminal
    const token = env['NARROWGATE_TOKEN'] ?? ''
    if (!/^[\x21-\x7e]+$/.test(token)) {
      throw new Fault(
        EXIT.usage,
        token === '' ? 'NARROWGATE_TOKEN is not set' : 'NARROWGATE_TOKEN holds no token',
        'put the token into it: an argument would stand in the list of processes',
      )
    }
    const named = values.gateway ?? (env['NARROWGATE_GATEWAY'] || undefined)
    const base = named ?? (await ownGateway(values, terminal))
    // Its library is large, and a command line that is wrong needs none of it.
    const { bridge } = await import('../bridge.ts')
    await bridge({
      door: holderDoorAt(base, '/g/mcp'),
      token,
      input: stdin as AsyncIterable<Buffer>,
      say: (message) => out.line(JSON.stringify(message)),
      warn: (text) => err.line(`${err.warn('narrowgate mcp:')} ${text}`),
    })
    return EXIT.ok
  },
})

async function ownGateway(...[values, terminal]: Parameters<typeof openPlace>): Promise<string> {
  const { host, port } = await gatewayAddress(await openPlace(values, terminal), undefined)
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
