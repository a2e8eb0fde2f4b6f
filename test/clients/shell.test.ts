import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROWS } from '../rig/upstreams/api.ts'
import { DEB } from '../rig/upstreams/debian.ts'
import { matrix } from './matrix.ts'
import type { Client } from './matrix.ts'

/**
 * Some read no variable that names an authority, only the system's store. So the printed bundle is laid over that store,
 * in a mount namespace of this one call.
 */
const WITH_BUNDLE = 'mount --bind "$SSL_CERT_FILE" /etc/ssl/certs/ca-certificates.crt && exec "$@"'
const UNDER_BUNDLE = ['unshare', '--mount', 'sh', '-c', WITH_BUNDLE, 'sh']

const curl: Client = {
  name: 'curl',
  needs: ['curl'],
  host: 'api.ng.test',
  call: (box) => box.exec(['curl', '-sS', 'https://api.ng.test/rows']),
  answered: (t, call) => t.strictSame(JSON.parse(call.stdout), ROWS, 'the answer is right'),
  refusal: /tool_not_granted/,
}

const curlClear: Client = {
  ...curl,
  name: 'curl, clear text in absolute form',
  host: 'plain.ng.test',
  call: (box) => box.exec(['curl', '-sS', 'http://plain.ng.test/rows']),
}

const curlUpload: Client = {
  ...curl,
  name: 'curl, a large body',
  call(box) {
    box.file('sent', 'x'.repeat(3_000_000))
    return box.exec(['curl', '-sS', '--data-binary', '@sent', 'https://api.ng.test/digest'])
  },
  answered: (t, call) => t.match(JSON.parse(call.stdout), { bytes: 3_000_000 }, 'arrives whole'),
}

const WGET = ['wget', '-nv', '--tries=1', '--content-on-error', '-O', '-']

const wget: Client = {
  ...curl,
  name: 'wget',
  needs: ['wget', 'unshare'],
  call: (box) => box.exec([...UNDER_BUNDLE, ...WGET, 'https://api.ng.test/rows']),
}

/** In four segments, as far as the upstream lets it. */
const ARIA2 = 'aria2c --max-tries=1 -x4 -s4 -k1M -o got --show-console-readout=false'.split(' ')

const aria2: Client = {
  name: 'aria2',
  needs: ['aria2c', 'unshare'],
  host: 'api.ng.test',
  call: (box) => box.exec([...UNDER_BUNDLE, ...ARIA2, 'https://api.ng.test/bytes?count=3000000']),
  answered(t, _call, { box }) {
    const got = readFileSync(join(box.folder, 'got'))
    const block = Buffer.alloc(64 * 1024, 'narrowgate ')
    const sent = Buffer.concat(Array<Buffer>(46).fill(block)).subarray(0, 3_000_000)
    t.ok(got.equals(sent), 'the file comes whole')
  },
  refusal: /403/,
}

/** Clones, commits, pushes more than git sends in one piece, and clones again to see that it arrived. */
const GIT = `
set -e
git clone -q https://git.ng.test/hello.git first
cd first
head -c 1500000 /dev/urandom > large
echo pushed > note
git add large note
git -c user.name=agent -c user.email=agent@ng.test commit -q -m second
git push -q origin HEAD:main
cd ..
git clone -q https://git.ng.test/hello.git second
cmp first/large second/large
`

const git: Client = {
  name: 'git',
  needs: ['git'],
  host: 'git.ng.test',
  call: (box) => box.exec(['sh', '-c', GIT], { GIT_TERMINAL_PROMPT: '0' }),
  answered(t, _call, { box }) {
    const read = (path: string): string => readFileSync(join(box.folder, path), 'utf8')
    t.equal(read('second/README'), 'hello from the rig\n', 'what was there is cloned')
    t.equal(read('second/note'), 'pushed\n', 'what was pushed comes back')
  },
  refusal: /returned error: 403/,
}

const LFS = `
set -e
git lfs install --skip-repo
git clone -q https://git.ng.test/hello.git one
cd one
git checkout -q -b with-lfs
git lfs track large.bin
head -c 3000000 /dev/urandom > large.bin
git add .gitattributes large.bin
git -c user.name=agent -c user.email=agent@ng.test commit -q -m third
git push -q origin with-lfs
cd ..
git clone -q -b with-lfs https://git.ng.test/hello.git two
cmp one/large.bin two/large.bin
`

const gitLfs: Client = {
  name: 'git-lfs',
  needs: ['git', 'git-lfs'],
  host: 'git.ng.test',
  call: (box) => box.exec(['sh', '-c', LFS], { GIT_TERMINAL_PROMPT: '0' }),
  answered(t, _call, { arrivals }) {
    const large = arrivals.filter(({ url }) => url.startsWith('/lfs/'))
    t.strictSame(
      large.map(({ method }) => method),
      ['PUT', 'GET'],
      'the large file goes and comes beside the repository',
    )
  },
  refusal: /returned error: 403/,
}

const APT = `
set -e
mkdir -p lists/partial archives
echo 'deb [trusted=yes] https://debian.ng.test/ rig main' > sources.list
for what in update 'download ngdemo'; do
  apt-get -qq -c apt.conf $what
done
`
const APT_CONFIG = `
Dir::Etc::SourceList "sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::Etc::Parts "/dev/null";
Dir::State::Lists "lists";
Dir::State::Status "/dev/null";
Dir::Cache "archives";
APT::Sandbox::User "root";
Acquire::Languages "none";
Acquire::Retries "0";
APT::Update::Error-Mode "any";
`

const apt: Client = {
  name: 'apt',
  needs: ['apt-get', 'unshare'],
  host: 'debian.ng.test',
  call(box) {
    box.file(
      'apt.conf',
      APT_CONFIG.replaceAll(/"((?:sources|lists|archives)[^"]*)"/g, `"${box.folder}/$1"`),
    )
    return box.exec([...UNDER_BUNDLE, 'sh', '-c', APT])
  },
  answered(t, _call, { box }) {
    t.equal(readFileSync(join(box.folder, 'ngdemo_1.0_all.deb'), 'utf8'), DEB, 'it is fetched')
  },
  refusal: /403/,
}

const SVN = `
set -e
svn="svn --non-interactive -q"
$svn checkout https://svn.ng.test/demo one
cd one
head -c 3000000 /dev/urandom > large
$svn add large
$svn commit -m first
cd ..
$svn checkout https://svn.ng.test/demo two
cmp one/large two/large
`

/** It reads no variable at all: its own file says what they say. */
function svnServers(variables: Readonly<Record<string, string>>): string {
  const { hostname, port, username, password } = new URL(variables['HTTPS_PROXY'] ?? '')
  return [
    '[global]',
    `http-proxy-host = ${hostname}`,
    `http-proxy-port = ${port}`,
    `http-proxy-username = ${username}`,
    `http-proxy-password = ${password}`,
    `ssl-authority-files = ${variables['SSL_CERT_FILE']}`,
  ].join('\n')
}

const svn: Client = {
  name: 'svn',
  needs: ['svn', 'svnadmin', 'apache2', '/usr/lib/apache2/modules/mod_dav_svn.so'],
  host: 'svn.ng.test',
  call(box) {
    box.file('.subversion/servers', svnServers(box.variables))
    return box.exec(['sh', '-c', SVN])
  },
  answered: (t, call) => t.equal(call.stdout, '', 'what was committed comes back, byte for byte'),
  refusal: /403|[Ff]orbidden/,
}

matrix('Command line', curl, curlClear, curlUpload, wget, aria2, git, gitLfs, apt, svn)
