/** Sends a text and a large binary message to an echo; prints what came back. */
import { once } from 'node:events'
import { HttpsProxyAgent } from 'https-proxy-agent'
import { WebSocket } from 'ws'

const socket = new WebSocket(process.argv[2] ?? '', {
  agent: new HttpsProxyAgent(process.env['HTTPS_PROXY'] ?? ''),
})
await once(socket, 'open')
const [text] = await exchange('hello')
const [large] = await exchange(Buffer.alloc(300_000, 7))
process.stdout.write(JSON.stringify({ text: String(text), bytes: (large as Buffer).length }))
socket.close()

async function exchange(message: string | Buffer): Promise<unknown[]> {
  const answer = once(socket, 'message')
  socket.send(message)
  return answer
}
