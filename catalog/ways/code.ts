import { callJson } from './posted.ts'
import { quotedLiteral } from './quote/escaped.ts'
import { TOKEN_VARIABLE, type WayTable, type Written } from './types.ts'

/** Ways whose text is a program. */
export const CODE: WayTable<'js' | 'python' | 'function_direct'> = {
  js: {
    door: '/g/run',
    write: ({ tool, args, gateway: { base, token } }) =>
      module(`const answer = await fetch(${quotedLiteral(`${base}/g/run`)}, {
  method: 'POST',
  headers: {
    authorization: \`Bearer \${${scriptToken(token)}}\`,
    'content-type': 'application/json',
  },
  body: ${quotedLiteral(callJson(tool.name, args))},
})
console.log(await answer.text())
`),
  },
  python: {
    door: '/g/run',
    write: ({ tool, args, gateway: { base, token } }) => ({
      language: 'python',
      runs_with: 'python3',
      text: `import os
import sys
import urllib.error
import urllib.request

request = urllib.request.Request(
    ${quotedLiteral(`${base}/g/run`)},
    data=${quotedLiteral(callJson(tool.name, args))}.encode(),
    headers={
        'Authorization': 'Bearer ' + ${pythonToken(token)},
        'Content-Type': 'application/json',
    },
)
try:
    answer = urllib.request.urlopen(request)
except urllib.error.HTTPError as error:
    answer = error
sys.stdout.buffer.write(answer.read())
`,
    }),
  },
  function_direct: {
    door: 'in process',
    write: ({ tool, args, gateway: { token } }) =>
      module(`import { startGateway } from 'narrowgate'

const gateway = await startGateway()
const answer = await gateway.call(${scriptToken(token)}, ${quotedLiteral(callJson(tool.name, args))})
console.log(await answer.text())
await gateway.stop()
`),
  },
}

/** A text for Node.js, as a module. */
export function module(text: string): Written {
  return { language: 'javascript', runs_with: 'node --input-type=module', text }
}

export function scriptToken(token: string): string {
  return token === TOKEN_VARIABLE ? 'process.env.NARROWGATE_TOKEN' : quotedLiteral(token)
}

function pythonToken(token: string): string {
  return token === TOKEN_VARIABLE ? "os.environ['NARROWGATE_TOKEN']" : quotedLiteral(token)
}
