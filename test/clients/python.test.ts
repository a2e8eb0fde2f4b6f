import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROWS } from '../rig/upstreams/api.ts'
import { checkLibrary, LIBRARY_URLS } from './library.ts'
import { matrix } from './matrix.ts'
import type { Client } from './matrix.ts'
import { checkSocket } from './socket.ts'
import { checkUpload } from './upload.ts'

const PYTHON = '/usr/bin/python3'
const PACKAGES = '/usr/lib/python3/dist-packages'
const AWS = {
  AWS_ACCESS_KEY_ID: 'CLIENT',
  AWS_SECRET_ACCESS_KEY: 'none: the gateway has it',
  AWS_DEFAULT_REGION: 'us-east-1',
  AWS_EC2_METADATA_DISABLED: 'true',
}

const URLLIB = `
import urllib.error, urllib.request
try:
    print(urllib.request.urlopen('https://api.ng.test/rows').read().decode())
except urllib.error.HTTPError as error:
    print(error.read().decode())
    raise SystemExit(1)
`

/** A program that does all that `library.ts` looks at. */
function library(name: string, program: string, needs: readonly string[]): Client {
  return {
    name,
    needs: [PYTHON, ...needs.map((folder) => join(PACKAGES, folder))],
    host: 'api.ng.test',
    call: (box) => box.exec([PYTHON, box.program(program), ...LIBRARY_URLS]),
    answered: (t, call) => checkLibrary(t, call.stdout),
    refusal: /tool_not_granted/,
  }
}

function socket(name: string, program: string, folder: string): Client {
  return {
    name,
    needs: [PYTHON, join(PACKAGES, folder)],
    host: 'ws.ng.test',
    call: (box) => box.exec([PYTHON, box.program(program), 'wss://ws.ng.test/echo']),
    answered: (t, call) => checkSocket(t, call.stdout),
    refusal: /403/,
  }
}

const PIP_INSTALL = ['-m', 'pip', 'install', '--index-url', 'https://pypi.ng.test/simple/']

const pip: Client = {
  name: 'pip',
  needs: [PYTHON, '/usr/bin/pip3'],
  host: 'pypi.ng.test',
  call: (box) =>
    box.exec(
      [PYTHON, ...PIP_INSTALL, '--target', 'to', 'ngdemo'],
      // else the machine's own pip.conf would name other indexes
      { PIP_CONFIG_FILE: '/dev/null', PIP_DISABLE_PIP_VERSION_CHECK: '1' },
    ),
  answered(t, _call, { box }) {
    const module = readFileSync(join(box.folder, 'to/ngdemo/__init__.py'), 'utf8')
    t.match(module, 'hello from the wheel', 'the package is installed')
  },
  refusal: /No matching distribution found for ngdemo/,
}

const urllib: Client = {
  name: 'urllib',
  needs: [PYTHON],
  host: 'api.ng.test',
  call: (box) => box.exec([PYTHON, '-c', URLLIB]),
  answered: (t, call) => t.strictSame(JSON.parse(call.stdout), ROWS, 'the answer is right'),
  refusal: /tool_not_granted/,
}

const httpie: Client = {
  name: 'httpie',
  needs: ['/usr/bin/http'],
  host: 'api.ng.test',
  call: (box) =>
    box.exec(['/usr/bin/http', '--ignore-stdin', '--body', 'https://api.ng.test/rows']),
  answered: (t, call) => t.strictSame(JSON.parse(call.stdout), ROWS, 'the answer is right'),
  refusal: /tool_not_granted/,
}

const boto3: Client = {
  name: 'boto3',
  needs: [PYTHON, join(PACKAGES, 'boto3')],
  host: 's3.ng.test',
  slot: 'sigv4',
  call: (box) => box.exec([PYTHON, box.program('object_boto3.py')], AWS),
  answered(t, call, { arrivals }) {
    t.equal(call.stdout, "[3000000]\nTrue {'by': 'boto3'}\n", 'the object comes back')
    checkUpload(t, arrivals, {
      expect: '100-continue',
      'content-encoding': 'aws-chunked',
      'x-amz-trailer': 'x-amz-checksum-sha256',
    })
  },
  refusal: /\(403\)[^]*Forbidden/,
}

const AWS_SCRIPT = `
set -e
head -c 3000000 /dev/urandom > sent
s3="aws --endpoint-url https://s3.ng.test s3"
$s3 cp --no-progress sent s3://rig-bucket/aws-cli
$s3 cp --no-progress s3://rig-bucket/aws-cli got
cmp sent got
`

const awsCli: Client = {
  name: 'aws-cli',
  needs: ['/usr/bin/aws'],
  host: 's3.ng.test',
  slot: 'sigv4',
  call: (box) => box.exec(['sh', '-c', AWS_SCRIPT], AWS),
  answered(t, _call, { arrivals }) {
    // that the object comes back the same is the script's to say
    checkUpload(t, arrivals, { expect: '100-continue' })
  },
  refusal: /\(403\)[^]*Forbidden/,
}

matrix(
  'Python',
  pip,
  urllib,
  httpie,
  library('requests', 'library_requests.py', ['requests']),
  library('httpx', 'library_httpx.py', ['httpx', 'h2']),
  library('aiohttp', 'library_aiohttp.py', ['aiohttp']),
  socket('aiohttp, WebSocket', 'socket_aiohttp.py', 'aiohttp'),
  socket('websocket-client', 'socket_websocket_client.py', 'websocket'),
  boto3,
  awsCli,
)
