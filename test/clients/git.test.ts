import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { matrix } from './matrix.ts'

/** Clones, commits, pushes more than git sends in one piece, and clones again to see that it arrived. */
const SCRIPT = `
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

matrix({
  name: 'git clone and push',
  needs: ['git'],
  host: 'git.ng.test',
  call: (box) => box.exec(['sh', '-c', SCRIPT], { GIT_TERMINAL_PROMPT: '0' }),
  answered(t, _call, box) {
    const read = (path: string): string => readFileSync(join(box.folder, path), 'utf8')
    t.equal(read('second/README'), 'hello from the rig\n', 'what was there is cloned')
    t.equal(read('second/note'), 'pushed\n', 'what was pushed comes back')
  },
  refusal: /returned error: 403/,
})
