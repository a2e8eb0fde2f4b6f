import { ROWS } from '../rig/upstreams/api.ts'
import { matrix } from './matrix.ts'

const SCRIPT = `
import urllib.error, urllib.request
try:
    print(urllib.request.urlopen('https://api.ng.test/rows').read().decode())
except urllib.error.HTTPError as error:
    print(error.read().decode())
    raise SystemExit(1)
`

matrix({
  name: 'python urllib',
  needs: ['/usr/bin/python3'],
  host: 'api.ng.test',
  call: (box) => box.exec(['/usr/bin/python3', '-c', SCRIPT]),
  answered: (t, call) => t.strictSame(JSON.parse(call.stdout), ROWS, 'the answer is right'),
  refusal: /tool_not_granted/,
})
