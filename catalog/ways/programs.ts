import { writtenJson } from '../written-json.ts'
import { module, scriptToken } from './code.ts'
import { quotedLiteral } from './quote/escaped.ts'
import { TOKEN_VARIABLE, type WayTable } from './types.ts'

/** Ways whose text is a program of the package's own client, or one that holds a connection open. */
export const PROGRAMS: WayTable<'sdk' | 'websocket'> = {
  sdk: {
    door: '/g/run',
    write: ({ tool, args, gateway: { base, token } }) => {
      const json = writtenJson(args)
      if (JSON.stringify(JSON.parse(json)) !== json)
        return {
          unavailable: 'JavaScript would round a number of it',
          set: 'send the call as text: the way `js` does',
        }
      return module(`import { createClient } from 'narrowgate/client'

const client = createClient({ url: ${quotedLiteral(base)}, token: ${scriptToken(token)} })
const { value } = await client.call('${tool.name}', JSON.parse(${quotedLiteral(json)}))
console.log(JSON.stringify(value))
`)
    },
  },
  websocket: {
    door: '/g/ws',
    write: ({ tool, args, gateway: { base, token } }) => {
      const url =
        token === TOKEN_VARIABLE
          ? `\`${socketBase(base)}/g/\${${scriptToken(token)}}/ws\``
          : quotedLiteral(`${socketBase(base)}/g/${token}/ws`)
      const call = writtenJson({ id: 1, tool: tool.name, args })
      return {
        language: 'javascript',
        runs_with: 'node --input-type=module (22 and later), or a browser',
        text: `const socket = new WebSocket(${url})
socket.addEventListener('open', () => socket.send(${quotedLiteral(call)}))
socket.addEventListener('message', ({ data }) => {
  console.log(data)
  socket.close()
})
`,
      }
    },
  },
}

function socketBase(base: string): string {
  return base.replace(/^http/, 'ws')
}
