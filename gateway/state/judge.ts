import { lstat } from 'node:fs/promises'
import type { Problem } from '../config/types.ts'

const LEAST_BYTES = 32
const LEAST_DIFFERENT = 8
// Words of keys that stand in documents and tests, and so are known to everybody. Each is long enough
// that 32 random bytes do not hold it by chance.
const EXAMPLE =
  /example|change[-_ ]?me|for-tests-only|your[-_ ]?(?:build|own|secret)|placeholder|password|0123456789|abcdefgh/i

/** Why a build or owner key may not be used, or undefined. The value itself is never told. */
export function judgeKey(value: string, path: string): Problem | undefined {
  const bytes = Buffer.byteLength(value)
  const repair = `use ${LEAST_BYTES} random bytes: \`openssl rand -base64 32\``
  if (bytes < LEAST_BYTES) return { path, got: `a key of ${bytes} bytes`, repair }
  if (EXAMPLE.test(value)) return { path, got: 'a key that reads like an example', repair }
  if (new Set(value).size < LEAST_DIFFERENT)
    return { path, got: 'a key of a few repeated characters', repair }
  return undefined
}

/** Why a key may not sign checkpoints, or undefined. The value itself is never told. */
export function judgeSigningKey(value: string, path: string): Problem | undefined {
  const bytes = Buffer.from(value, 'base64url')
  if (bytes.length === LEAST_BYTES && bytes.toString('base64url') === value) return undefined
  const got = 'something that is not 32 bytes in base64url'
  return { path, got, repair: 'put the file back; without it another key is made' }
}

/** Reports a file or folder that is not its owner's alone, and one that is somebody else's. */
export async function judgeAccess(path: string, mode: '600' | '700'): Promise<readonly Problem[]> {
  const stat = await lstat(path)
  const kind = mode === '700' ? stat.isDirectory() : stat.isFile()
  if (!kind) {
    const got =
      mode === '700' ? 'something that is not a folder' : 'something that is not a plain file'
    return [{ path, got, repair: 'move it away' }]
  }
  const problems: Problem[] = []
  if ((stat.mode & 0o077) !== 0) {
    const got = `mode \`${(stat.mode & 0o777).toString(8)}\`, open to others`
    problems.push({ path, got, repair: `run \`chmod ${mode} ${path}\`` })
  }
  const user = process.getuid?.()
  if (user !== undefined && user !== 0 && stat.uid !== user) {
    problems.push({
      path,
      got: `the owner \`${stat.uid}\``,
      repair: `run \`chown ${user} ${path}\``,
    })
  }
  return problems
}
