import t from 'tap'
import type { Permit, VerifiedToken } from '../../policy/index.ts'

// Checked by the compiler: where one of these becomes possible, the build fails.

const content = {
  id: 'g_1',
  lines: [],
  caveats: [],
  links: ['x'],
  link: 'x',
  uses: [],
  delegable: true,
}

// @ts-expect-error -- only verifyToken makes a VerifiedToken
const token: VerifiedToken = content

// @ts-expect-error -- only decide makes a Permit
const permit: Permit = { target: 'GET http://a:80/', tool: 'A', grant: 'g_1', link: 'x' }

t.ok(token && permit)
