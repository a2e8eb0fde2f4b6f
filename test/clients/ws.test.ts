import { matrix } from './matrix.ts'

matrix({
  name: 'ws',
  needs: [],
  host: 'ws.ng.test',
  call: (box) => box.node('websocket.ts', 'wss://ws.ng.test/echo'),
  answered(t, call) {
    const heard = JSON.parse(call.stdout) as { readonly text: string; readonly bytes: number }
    t.equal(heard.text, 'hello', 'a text comes back')
    t.equal(heard.bytes, 300_000, 'and so does a large binary message')
  },
  refusal: /403/,
})
