import { createHash } from 'node:crypto'
import { sendBytes, sendNothingHere } from './site.ts'
import type { Site } from './site.ts'

/** What `apt-get download` brings: it looks at size and hash alone, so that any bytes will do. */
export const DEB = 'hello from the package\n'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const PACKAGES = `Package: ngdemo
Version: 1.0
Architecture: all
Maintainer: rig <rig@ng.test>
Filename: pool/ngdemo_1.0_all.deb
Size: ${DEB.length}
SHA256: ${sha256(DEB)}
Description: a package of the rig
`
const INDEX = 'main/binary-all/Packages'
const RELEASE = `Suite: rig
Codename: rig
Components: main
Architectures: all
SHA256:
 ${sha256(PACKAGES)} ${PACKAGES.length} ${INDEX}
`

/** An archive for apt with one package; nothing in it is signed. */
export const debian: Site = {
  name: 'debian',
  handle({ response, url }) {
    switch (url.pathname) {
      case '/dists/rig/Release':
        return sendBytes(response, 'text/plain', RELEASE)
      case `/dists/rig/${INDEX}`:
        return sendBytes(response, 'text/plain', PACKAGES)
      case '/pool/ngdemo_1.0_all.deb':
        return sendBytes(response, 'application/vnd.debian.binary-package', DEB)
      default:
        return sendNothingHere(response)
    }
  },
}
