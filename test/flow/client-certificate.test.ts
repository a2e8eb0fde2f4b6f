import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import t from 'tap'
import { parse, stringify } from 'yaml'
import { selfSigned } from '../adapters/upstream/helpers/certificate.ts'
import { flowIn } from '../helpers/gateway.ts'
import { HOST, isSecure, SHAPES } from '../helpers/shapes.ts'

t.test('an upstream that asks for a certificate is shown the gateway’s', async (t) => {
  const gate = await selfSigned('gate.test')
  const identity = await selfSigned(HOST)
  const seen: string[] = []
  const server = createServer(
    { ...identity, ca: [gate.cert], requestCert: true, ALPNProtocols: ['http/1.1'] },
    (req, res) => {
      seen.push(String((req.socket as TLSSocket).getPeerCertificate().subject.CN))
      res.end('ok')
    },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  await flowIn(t, {}, async (t, gateway) => {
    const token = gateway.mint('tools = HTTP_*')
    const config = parse(readFileSync(gateway.configFile, 'utf8')) as {
      upstreams: { name: string; [member: string]: unknown }[]
    }
    const folder = join(gateway.configFile, '..')
    for (const [name, text] of Object.entries({
      'gate.pem': gate.cert,
      'gate.key': gate.key,
      'up.pem': identity.cert,
    }))
      writeFileSync(join(folder, name), text, { mode: 0o600 })
    const [, secure] = config.upstreams
    Object.assign(secure ?? {}, {
      address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
      ca: ['./up.pem'],
    })
    const load = async (more: object) => {
      Object.assign(secure ?? {}, more)
      writeFileSync(gateway.configFile, stringify(config))
      return gateway.gateway.reload()
    }
    const tunnels = SHAPES.filter(isSecure)
    t.same(await load({}), { ok: true })
    for (const shape of tunnels)
      t.equal((await gateway.ask(shape, { token })).header('refused'), 'upstream_failed', shape)
    t.same(seen, [], 'which does not answer without one')
    const shown = { cert: './gate.pem', key: { file: './gate.key' } }
    t.same(await load({ client_certificate: shown }), { ok: true })
    for (const shape of tunnels) t.equal((await gateway.ask(shape, { token })).text, 'ok', shape)
    t.same(
      seen,
      tunnels.map(() => 'gate.test'),
    )
    const wrong = { cert: './up.pem', key: { file: './gate.key' } }
    t.match(await load({ client_certificate: wrong }), {
      ok: false,
      problems: [{ path: 'upstreams[1].client_certificate.key', got: /does not belong/ }],
    })
  })
})
