import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import { statePaths } from '../../../gateway/state/paths.ts'
import { HOST, openTls, openTunnel } from '../../helpers/shapes.ts'
import type { Answered } from '../../helpers/refusal-form.ts'
import { answerTo, assertForm } from '../refusal-cases.ts'
import type { Case } from '../refusal-cases.ts'
import { wire } from '../suite.ts'
import { UPGRADE } from '../wires.ts'
import type { Proof } from './scene.ts'

// Tunnels whose token was good when they were opened, and whose build key is gone by the time of the call.

const FORGED: Case = { code: 'token_forged' }
const HEAD = `GET / HTTP/1.1\r\nHost: ${HOST}\r\n`

async function askHttp2(socket: TLSSocket): Promise<Answered> {
  const session = connect(`https://${HOST}`, { createConnection: () => socket })
  const stream = session.request({ ':path': '/' })
  const headers = await new Promise<Readonly<Record<string, unknown>>>((resolve, reject) => {
    stream.once('response', resolve).once('error', reject)
  })
  let text = ''
  for await (const chunk of stream) text += String(chunk)
  session.destroy()
  const header = (name: string) => headers[name] as string | undefined
  return { status: Number(headers[':status']), header, text }
}

const tunnels: Proof = {
  provokes: [
    ['token_forged', 'tunnel-h1'],
    ['token_forged', 'tunnel-h2'],
    ['token_forged', 'tunnel-clear'],
    ['token_forged', 'upgrade tunnel-h1'],
    ['token_forged', 'upgrade tunnel-clear'],
  ],
  prove: () =>
    wire('a build key that went while tunnels were open', async (t, bench) => {
      const { gateway, reach, token } = bench
      const clear = () => openTunnel(reach, token, `${HOST}:80`)
      const secure = () => openTls(reach, { token }, 'http/1.1')
      const open = {
        clear: await clear(),
        secure: await secure(),
        clearUpgrade: await clear(),
        secureUpgrade: await secure(),
      }
      const http2 = await openTls(reach, { token }, 'h2')
      writeFileSync(statePaths(gateway.state).buildKey, randomBytes(32).toString('base64url'))
      t.same(await gateway.gateway.reload(), { ok: true })
      for (const [name, socket] of Object.entries(open)) {
        const own = name.endsWith('Upgrade') ? UPGRADE : ''
        const got = await answerTo(socket, `${HEAD}${own}\r\n`)
        assertForm(t, bench, { each: FORGED, got, shape: 'tunnel-clear', name })
      }
      const got = await askHttp2(http2)
      assertForm(t, bench, { each: FORGED, got, shape: 'tunnel-h2' })
    }),
}

export const RING = [tunnels]
