import { HOST, MOUNT } from '../../helpers/shapes.ts'
import { NAMING } from '../refusal-cases.ts'
import { nothingSent, proofOf } from './scene.ts'

// Hosts that are not listed, lead where nobody may go, or do not answer.

const unknown = proofOf({
  name: 'a host that is not listed',
  options: { config: { unknown_hosts: 'refuse' } },
  calls: [{ code: 'host_unknown', asked: { host: 'unlisted.test' }, on: NAMING }],
  end: nothingSent,
})

const inside = proofOf({
  name: 'a host with an address of this machine',
  options: {
    config: { mounts: [{ prefix: MOUNT, to: 'http://localhost' }] },
    routes: () => [{ name: 'blind', hosts: ['localhost:8443'], intercept: false }],
  },
  calls: [{ code: 'address_refused', asked: { host: 'localhost' } }],
  connects: [{ code: 'address_refused', connect: { target: 'localhost:8443' } }],
  end: nothingSent,
})

/** Where nobody listens (RFC 6335 gives it to TCPMUX, which nobody runs). */
const CLOSED = '127.0.0.1:1'

const closed = proofOf({
  name: 'a host that cannot be reached',
  options: {
    config: {
      upstreams: [
        { name: 'closed', hosts: [`${HOST}:80`, `${HOST}:443`], address: CLOSED },
        { name: 'blind', hosts: ['blind.test:443'], address: CLOSED, intercept: false },
      ],
    },
  },
  calls: [{ code: 'upstream_failed' }],
  connects: [{ code: 'upstream_failed', connect: { target: 'blind.test:443' } }],
})

export const HOSTS = [unknown, inside, closed]
