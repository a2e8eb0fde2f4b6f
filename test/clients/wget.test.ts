import { ROWS } from '../rig/upstreams/api.ts'
import { matrix } from './matrix.ts'

/**
 * wget reads no variable that names an authority, only the system's store. So the printed bundle is laid
 * over that store, in a mount namespace of this one call.
 */
const WITH_BUNDLE = 'mount --bind "$SSL_CERT_FILE" /etc/ssl/certs/ca-certificates.crt && exec "$@"'
const UNDER_BUNDLE = ['unshare', '--mount', 'sh', '-c', WITH_BUNDLE, 'sh']
const WGET = ['wget', '-nv', '--tries=1', '--content-on-error', '-O', '-']

matrix({
  name: 'wget',
  needs: ['wget', 'unshare'],
  host: 'api.ng.test',
  call: (box) => box.exec([...UNDER_BUNDLE, ...WGET, 'https://api.ng.test/rows']),
  answered: (t, call) => t.strictSame(JSON.parse(call.stdout), ROWS, 'the answer is right'),
  refusal: /tool_not_granted/,
})
