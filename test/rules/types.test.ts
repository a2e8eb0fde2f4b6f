import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { binary, copyTree, runPlain, type Ran } from './tree.ts'

/** What must not compile: where it is written, what, and the compiler's code for it. */
interface Forbidden {
  readonly file: string
  readonly source: string
  readonly code: string
}

const SEND = `import type { Upstream, UpstreamRequest } from '../adapters/upstream/port.ts'
declare const upstream: Upstream
declare const request: UpstreamRequest
`
const BRANDS = `import type { Permit, VerifiedToken } from '../policy/index.ts'\n`

const FORBIDDEN: Readonly<Record<string, Forbidden>> = {
  'calling the upstream without a permit': {
    file: 'probe/no-permit.ts',
    source: `${SEND}void upstream.send(request)`,
    code: 'TS2554',
  },
  'calling the upstream with a permit written by hand': {
    file: 'probe/own-permit.ts',
    source: `${SEND}void upstream.send(request, { target: 'GET http://a:80/', tool: 'A', grant: 'g_1', link: 'x' })`,
    code: 'TS2741',
  },
  'a permit that decide did not make': {
    file: 'probe/permit.ts',
    source: `${BRANDS}export const permit: Permit = { target: 'GET http://a:80/', tool: 'A', grant: 'g_1', link: 'x' }`,
    code: 'TS2741',
  },
  'a verified token that verifyToken did not make': {
    file: 'probe/token.ts',
    source: `${BRANDS}export const token: VerifiedToken = { id: 'g_1', lines: [], caveats: [], links: ['x'], link: 'x', uses: [], delegable: true }`,
    code: 'TS2741',
  },
  'a file system in policy': {
    file: 'policy/planted.ts',
    source: `import { readFileSync } from 'node:fs'\nexport const read = readFileSync`,
    code: 'TS2591',
  },
  'a clock of Node in policy': {
    file: 'policy/planted-clock.ts',
    source: 'export const now = process.hrtime.bigint()',
    code: 'TS2591',
  },
  'policy in catalog': {
    file: 'catalog/planted.ts',
    source: `import { mintToken } from '../policy/index.ts'\nexport const mint = mintToken`,
    code: 'TS6307',
  },
}

/** The same with leave: what must compile, or the failures above prove nothing. */
const ALLOWED = {
  file: 'probe/allowed.ts',
  source: `${SEND}${BRANDS}declare const permit: Permit\ndeclare const token: VerifiedToken\nvoid upstream.send(request, permit)\nexport const id = token.id`,
}

const PROBE = {
  extends: '../tsconfig.base.json',
  compilerOptions: { rootDir: '..', outDir: '../dist', types: ['node'] },
  include: ['./*.ts'],
  references: [{ path: '../policy' }, { path: '../catalog' }, { path: '../adapters' }],
}

/** Compiles a project and what it refers to. */
function compile(folder: string, project: string): Ran {
  return runPlain([binary('tsc'), '-b', project, '--pretty', 'false'], { cwd: folder })
}

await t.test('the compiler', async (t) => {
  const copy = copyTree(t, ['policy', 'catalog', 'adapters'])
  const write = ({ file, source }: { readonly file: string; readonly source: string }) => {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    writeFileSync(join(copy, file), `${source}\n`)
  }
  mkdirSync(join(copy, 'probe'))
  writeFileSync(join(copy, 'probe/tsconfig.json'), JSON.stringify(PROBE))
  write(ALLOWED)
  t.same(compile(copy, 'probe'), { exit: 0, stdout: '', stderr: '' }, 'what is allowed compiles')

  // Folder by folder, the probes first: what they refer to has to compile still.
  const said = ['probe', 'policy', 'catalog'].map((folder) => {
    Object.values(FORBIDDEN)
      .filter(({ file }) => file.startsWith(`${folder}/`))
      .forEach(write)
    return compile(copy, folder).stdout
  })
  for (const [says, { file, code }] of Object.entries(FORBIDDEN)) {
    const errors = said
      .join('')
      .split('\n')
      .filter((line) => line.startsWith(`${file}(`))
    t.match(errors.join('\n'), new RegExp(`: error ${code}: `), `refuses ${says}`)
  }
})
