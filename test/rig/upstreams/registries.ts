import { createHash } from 'node:crypto'
import { tarGz, zip } from './archives.ts'
import { sendBytes, sendJson, sendNothingHere } from './site.ts'
import type { Site } from './site.ts'

const WHEEL_NAME = 'ngdemo-1.0-py3-none-any.whl'
const PYPI_PAGE = `<!doctype html><a href="/files/${WHEEL_NAME}">${WHEEL_NAME}</a>`
const WHEEL = zip({
  'ngdemo/__init__.py': "GREETING = 'hello from the wheel'\n",
  'ngdemo-1.0.dist-info/METADATA': 'Metadata-Version: 2.1\nName: ngdemo\nVersion: 1.0\n',
  'ngdemo-1.0.dist-info/WHEEL':
    'Wheel-Version: 1.0\nGenerator: rig\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
  'ngdemo-1.0.dist-info/RECORD': 'ngdemo/__init__.py,,\nngdemo-1.0.dist-info/RECORD,,\n',
})

/** A package index for pip (PEP 503) with one wheel. */
export const pypi: Site = {
  name: 'pypi',
  handle({ response, url }) {
    if (url.pathname === '/simple/ngdemo/') return sendBytes(response, 'text/html', PYPI_PAGE)
    if (url.pathname === `/files/${WHEEL_NAME}`) {
      return sendBytes(response, 'application/octet-stream', WHEEL)
    }
    return sendNothingHere(response)
  },
}

const NPM_MANIFEST = { name: 'ngdemo', version: '1.0.0', main: 'index.js' }
const NPM_TARBALL = tarGz({
  'package/package.json': JSON.stringify(NPM_MANIFEST),
  'package/index.js': "module.exports = 'hello from the tarball'\n",
})

/** A registry for npm with one package. */
export const npm: Site = {
  name: 'npm',
  handle({ response, url }) {
    if (url.pathname === '/ngdemo') return sendJson(response, npmDocument(url.origin))
    if (url.pathname === '/ngdemo/-/ngdemo-1.0.0.tgz') {
      return sendBytes(response, 'application/octet-stream', NPM_TARBALL)
    }
    return sendNothingHere(response)
  },
}

function npmDocument(origin: string): object {
  const dist = {
    tarball: `${origin}/ngdemo/-/ngdemo-1.0.0.tgz`,
    shasum: createHash('sha1').update(NPM_TARBALL).digest('hex'),
    integrity: `sha512-${createHash('sha512').update(NPM_TARBALL).digest('base64')}`,
  }
  return {
    name: 'ngdemo',
    'dist-tags': { latest: '1.0.0' },
    versions: { '1.0.0': { ...NPM_MANIFEST, dist } },
  }
}

const CRATE = tarGz({
  'ngdemo-1.0.0/Cargo.toml': '[package]\nname = "ngdemo"\nversion = "1.0.0"\nedition = "2021"\n',
  'ngdemo-1.0.0/src/lib.rs': 'pub const GREETING: &str = "hello from the crate";\n',
})

/** A sparse registry for cargo (RFC 2789) with one crate. */
export const crates: Site = {
  name: 'crates',
  handle({ response, url }) {
    switch (url.pathname) {
      case '/index/config.json':
        return sendJson(response, { dl: `${url.origin}/dl/{crate}/{version}` })
      case '/index/ng/de/ngdemo':
        return sendBytes(response, 'text/plain', `${JSON.stringify(crateLine())}\n`)
      case '/dl/ngdemo/1.0.0':
        return sendBytes(response, 'application/octet-stream', CRATE)
      default:
        return sendNothingHere(response)
    }
  },
}

function crateLine(): object {
  const cksum = createHash('sha256').update(CRATE).digest('hex')
  return { name: 'ngdemo', vers: '1.0.0', deps: [], cksum, features: {}, yanked: false }
}
