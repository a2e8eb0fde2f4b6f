import { spawn } from 'node:child_process'
import { accessSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { flow } from '../helpers/gateway.ts'
import type { TestGateway } from '../helpers/gateway.ts'
import { HOST } from '../helpers/shapes.ts'
import { configOf } from './client.ts'
import { openGrpcUpstream } from './service.ts'

const PYTHON = '/usr/bin/python3'
const GRPCIO = '/usr/lib/python3/dist-packages/grpc'

/** Prints one line of JSON: what came of each kind of call, or of the first one that failed. */
const SCRIPT = `
import json, os, sys, grpc
roots = open(os.environ['GRPC_DEFAULT_SSL_ROOTS_FILE_PATH'], 'rb').read()
same = lambda value: value
with grpc.secure_channel('${HOST}:443', grpc.ssl_channel_credentials(roots)) as channel:
    on = lambda kind, name: getattr(channel, kind)('/test.Echo/' + name, request_serializer=same, response_deserializer=same)
    seen = {}
    try:
        value, call = on('unary_unary', 'Unary').with_call(b'hi', timeout=30)
        seen['unary'] = [value.decode(), dict(call.trailing_metadata())['x-sum']]
        seen['collect'] = on('stream_unary', 'Collect')(iter([b'a', b'b', b'c']), timeout=30).decode()
        seen['repeat'] = [part.decode() for part in on('unary_stream', 'Repeat')(b'hi', timeout=30)]
        seen['chat'] = [part.decode() for part in on('stream_stream', 'Chat')(iter([b'one', b'two']), timeout=30)]
        on('unary_unary', 'Fail')(b'hi', timeout=30)
    except grpc.RpcError as error:
        seen['error'] = [error.code().name, error.details(), dict(error.trailing_metadata()).get('refused')]
    print(json.dumps(seen))
`

function missing(): string | undefined {
  try {
    accessSync(PYTHON)
    accessSync(GRPCIO)
    return undefined
  } catch {
    return 'python3-grpcio is not installed: run scripts/setup-tests.sh'
  }
}

async function run(gateway: TestGateway, token: string, caFile: string): Promise<unknown> {
  const child = spawn(PYTHON, ['-c', SCRIPT], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      grpc_proxy: `http://agent:${token}@127.0.0.1:${gateway.proxyPort}`,
      GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: caFile,
    },
  })
  return JSON.parse(await text(child.stdout))
}

const why = missing()
if (why !== undefined) {
  if (process.env['CI'] === 'true') t.fail(`grpcio cannot run in CI: ${why}`)
  else t.plan(0, why)
} else {
  const upstream = await openGrpcUpstream(t)
  await flow('grpcio', { config: configOf(upstream) }, async (t, gateway) => {
    const { caFile } = gateway.gateway
    t.same(await run(gateway, gateway.mint('tools = HTTP_*'), caFile), {
      unary: ['hi', '7'],
      collect: 'abc',
      repeat: ['0 hi', '1 hi', '2 hi', '3 hi', '4 hi'],
      chat: ['re: one', 're: two'],
      error: ['NOT_FOUND', 'no “such” thing', null],
    })
    const refused = await run(gateway, gateway.mint('tools = SOMETHING_ELSE'), caFile)
    t.match(refused, {
      error: ['PERMISSION_DENIED', /^tool_not_granted: /, 'tool_not_granted'],
    })
  })
}
