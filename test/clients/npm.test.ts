import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { matrix } from './matrix.ts'

const REGISTRY = '--registry=https://npm.ng.test/'

matrix({
  name: 'npm install',
  needs: ['npm'],
  host: 'npm.ng.test',
  call(box) {
    box.file('package.json', '{"name":"consumer","private":true}')
    return box.exec(['npm', 'install', REGISTRY, '--no-audit', '--no-fund', 'ngdemo'])
  },
  answered(t, _call, box) {
    const module = readFileSync(join(box.folder, 'node_modules/ngdemo/index.js'), 'utf8')
    t.match(module, 'hello from the tarball', 'the package is installed')
  },
  refusal: /E403[^]*tool_not_granted/,
})
