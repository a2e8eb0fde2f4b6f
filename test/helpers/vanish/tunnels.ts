import { setTimeout as delay } from 'node:timers/promises'
import {
  ALL,
  connectHead,
  NOT_HALF,
  ON_ITS_WAY_MS,
  open,
  openTunnel,
  read,
  secure,
} from './client.ts'
import type { Step } from './client.ts'

const HELLO = '\x16\x03\x01\x01\x00\x01\x00\x00'

/** Points on the way to where requests are read. */
export const TUNNELS: readonly Step[] = [
  { name: 'nothing said', reach: open, manners: ALL },
  ...['api.test:80', 'api.test:443', 'blind.test:443'].flatMap((authority): readonly Step[] => [
    {
      name: `${authority}: within the CONNECT`,
      async reach(shown) {
        const socket = await open(shown)
        socket.write(connectHead(shown, authority).slice(0, -2))
        await delay(ON_ITS_WAY_MS)
        return socket
      },
      manners: ALL,
    },
    {
      name: `${authority}: with the CONNECT`,
      async reach(shown) {
        const socket = await open(shown)
        await new Promise((resolve) => socket.write(connectHead(shown, authority), resolve))
        return socket
      },
      manners: authority.startsWith('blind') ? NOT_HALF : ALL,
    },
    {
      name: `${authority}: after a refused CONNECT`,
      async reach(shown) {
        const socket = await open(shown)
        socket.write(connectHead({ ...shown, token: 'none' }, authority))
        await read(socket, 1)
        return socket
      },
      manners: ALL,
    },
    {
      name: `${authority}: in the tunnel`,
      reach: (shown) => openTunnel(shown, authority),
      manners: authority.startsWith('blind') ? NOT_HALF : ALL,
    },
  ]),
  {
    name: 'within the hello',
    async reach(shown) {
      const socket = await openTunnel(shown, 'api.test:443')
      socket.write(HELLO, 'latin1')
      await delay(ON_ITS_WAY_MS)
      return socket
    },
    manners: ALL,
  },
  {
    name: 'with the hello',
    async reach(shown) {
      const socket = await openTunnel(shown, 'api.test:443')
      secure(shown, socket, 'h2').catch(() => {})
      // It goes out at once, and the answer to it is not there yet.
      await new Promise((resolve) => setImmediate(resolve))
      return socket
    },
    manners: ALL,
  },
  ...(['h2', 'http/1.1'] as const).map((protocol): Step => ({
    name: `${protocol}: after the handshake`,
    async reach(shown) {
      const socket = await openTunnel(shown, 'api.test:443')
      await secure(shown, socket, protocol)
      await delay(ON_ITS_WAY_MS)
      return socket
    },
    manners: ALL,
  })),
]
