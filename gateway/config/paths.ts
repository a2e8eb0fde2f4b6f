import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'

/** Makes a path of the configuration absolute: `~` is the home folder, the rest is relative to `base`. */
export function expandPath(path: string, base: string, env: NodeJS.ProcessEnv): string {
  const home = env['HOME'] ?? homedir()
  if (path === '~') return home
  if (path.startsWith('~/')) return join(home, path.slice(2))
  return isAbsolute(path) ? resolve(path) : resolve(base, path)
}
