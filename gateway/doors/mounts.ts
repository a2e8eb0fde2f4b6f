import { canonicalAuthority } from '../../catalog/index.ts'
import type { MountConfig } from '../config/types.ts'

/** A mount that a request is for, and the path as the upstream is to get it. */
export interface MountMatch {
  readonly mount: MountConfig
  /** What receipts call the mount: its host or its prefix. */
  readonly name: string
  /** The mount's base path and the rest of the request's target, byte for byte. */
  readonly path: string
}

/** The mount that serves this `Host`, by its host alone. */
export function mountOfHost(
  mounts: readonly MountConfig[],
  hostField: string,
  target: string,
): MountMatch | undefined {
  if (mounts.every(({ host }) => host === undefined)) return undefined
  const authority = canonicalAuthority(hostField, 80)
  if (!authority.ok) return undefined
  const mount = mounts.find(({ host }) => host === authority.host)
  return mount?.host === undefined
    ? undefined
    : { mount, name: mount.host, path: mount.basePath + target }
}

/** The mount whose prefix covers the target; of two, the longer. `/openai` covers `/openai/v1`, not `/openais`. */
export function mountOfPath(
  mounts: readonly MountConfig[],
  target: string,
): MountMatch | undefined {
  let best: MountMatch | undefined
  for (const mount of mounts) {
    const { prefix } = mount
    if (prefix === undefined || !covers(prefix, target)) continue
    if (best && best.name.length >= prefix.length) continue
    const rest = target.slice(prefix.length)
    const path = mount.basePath + rest
    best = { mount, name: prefix, path: path.startsWith('/') ? path : `/${path}` }
  }
  return best
}

function covers(prefix: string, target: string): boolean {
  return target.startsWith(prefix) && ['', '/', '?'].includes(target.charAt(prefix.length))
}
