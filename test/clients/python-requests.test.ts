import { ROWS } from '../rig/upstreams/api.ts'
import { matrix } from './matrix.ts'

const SCRIPT = `
import requests
response = requests.get('https://api.ng.test/rows')
print(response.text)
response.raise_for_status()
`

matrix({
  name: 'python requests',
  needs: ['/usr/bin/python3', '/usr/lib/python3/dist-packages/requests'],
  host: 'api.ng.test',
  call: (box) => box.exec(['/usr/bin/python3', '-c', SCRIPT]),
  answered: (t, call) => t.strictSame(JSON.parse(call.stdout), ROWS, 'the answer is right'),
  refusal: /tool_not_granted/,
})
