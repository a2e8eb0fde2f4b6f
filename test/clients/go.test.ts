import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ISSUE_COUNT } from '../rig/upstreams/github.ts'
import { checkLibrary, LIBRARY_URLS } from './library.ts'
import { matrix } from './matrix.ts'
import type { Client } from './matrix.ts'
import { WORDS } from '../rig/upstreams/words.ts'
import { checkSpread } from './streaming.ts'

const GO = { GO111MODULE: 'off' }

const netHttp: Client = {
  name: 'Go net/http',
  needs: ['go'],
  host: 'api.ng.test',
  async call(box) {
    const built = await box.exec(['go', 'build', '-o', 'library', box.program('library.go')], GO)
    return built.code === 0 ? box.exec(['./library', ...LIBRARY_URLS]) : built
  },
  answered(t, call) {
    checkLibrary(t, call.stdout)
    const { trailers } = JSON.parse(call.stdout) as { readonly trailers: unknown }
    const sum = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
    t.strictSame(trailers, ['sent after the body', sum], 'trailers pass both ways')
  },
  refusal: /tool_not_granted/,
}

const gh: Client = {
  name: 'gh',
  needs: ['gh'],
  host: 'github.ng.test',
  call: (box) =>
    box.exec(
      ['gh', 'api', '--paginate', 'repos/octo/hello/issues?per_page=12', '--jq', '.[].title'],
      { GH_HOST: 'github.ng.test', GH_ENTERPRISE_TOKEN: 'none: the gateway has it' },
    ),
  answered(t, call) {
    const titles = call.stdout.trim().split('\n')
    t.equal(titles.length, ISSUE_COUNT, 'all pages are there')
    t.equal(titles.at(-1), `issue ${ISSUE_COUNT}`, 'and in order')
  },
  refusal: /tool_not_granted/,
}

/** Lists, and follows a log; each of its lines with the time at which it came. */
const KUBECTL = `
set -e
kubectl="kubectl --server https://cluster.ng.test --token none"
$kubectl get pods -o name
$kubectl logs -f demo | while read -r word; do echo "$(date +%s%3N) $word"; done
`

const kubectl: Client = {
  name: 'kubectl',
  needs: ['kubectl'],
  host: 'cluster.ng.test',
  call: (box) => box.exec(['sh', '-c', KUBECTL]),
  answered(t, call) {
    const [pod, ...lines] = call.stdout.trim().split('\n')
    t.equal(pod, 'pod/demo', 'the list is right')
    const heard = lines.map((line) => line.split(' '))
    const text = heard.map(([, word]) => word).join('')
    t.equal(text, WORDS.join('').replaceAll(' ', ''), 'the log is right')
    checkSpread(
      t,
      heard.map(([time]) => Number(time)),
    )
  },
  refusal: /tool_not_granted|[Ff]orbidden/,
}

/** Debian's S3 backend ends itself where AWS_CA_BUNDLE is set: docs/clients.md. SSL_CERT_FILE is enough. */
const RCLONE = `
set -e
head -c 3000000 /dev/urandom > sent
rclone="env -u AWS_CA_BUNDLE rclone --config /dev/null --retries 1 --low-level-retries 1"
$rclone copyto sent :s3:rig-bucket/rclone
$rclone copyto :s3:rig-bucket/rclone got
cmp sent got
`

const rclone: Client = {
  name: 'rclone',
  needs: ['rclone'],
  host: 's3.ng.test',
  slot: 'sigv4',
  call: (box) =>
    box.exec(['sh', '-c', RCLONE], {
      RCLONE_S3_PROVIDER: 'Other',
      RCLONE_S3_ENDPOINT: 'https://s3.ng.test',
      RCLONE_S3_ACCESS_KEY_ID: 'CLIENT',
      RCLONE_S3_SECRET_ACCESS_KEY: 'none: the gateway has it',
      RCLONE_S3_NO_CHECK_BUCKET: 'true',
    }),
  answered: (t, call) => t.equal(call.stdout, '', 'the object comes back, byte for byte'),
  refusal: /403/,
}

const SKOPEO = `
set -e
skopeo --insecure-policy copy docker://images.ng.test/demo:1 dir:one
skopeo --insecure-policy copy dir:one docker://images.ng.test/demo:2
skopeo --insecure-policy copy docker://images.ng.test/demo:2 dir:two
`

const skopeo: Client = {
  name: 'skopeo',
  needs: ['skopeo'],
  host: 'images.ng.test',
  call: (box) => box.exec(['sh', '-c', SKOPEO]),
  answered(t, _call, { box }) {
    const read = (image: string): string =>
      readFileSync(join(box.folder, image, 'manifest.json'), 'utf8')
    t.equal(read('two'), read('one'), 'what was pushed is what was pulled')
  },
  refusal: /403/,
}

matrix('Go', netHttp, gh, kubectl, rclone, skopeo)
