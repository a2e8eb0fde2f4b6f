import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { matrix } from './matrix.ts'

const INDEX = 'https://pypi.ng.test/simple/'

matrix({
  name: 'pip install',
  needs: ['/usr/bin/python3', '/usr/bin/pip3'],
  host: 'pypi.ng.test',
  call: (box) =>
    box.exec(
      [
        '/usr/bin/python3',
        '-m',
        'pip',
        'install',
        '--index-url',
        INDEX,
        '--target',
        'to',
        'ngdemo',
      ],
      // else the machine's own pip.conf would name other indexes
      { PIP_CONFIG_FILE: '/dev/null', PIP_DISABLE_PIP_VERSION_CHECK: '1' },
    ),
  answered(t, _call, box) {
    const module = readFileSync(join(box.folder, 'to/ngdemo/__init__.py'), 'utf8')
    t.match(module, 'hello from the wheel', 'the package is installed')
  },
  refusal: /No matching distribution found for ngdemo/,
})
