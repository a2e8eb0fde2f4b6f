import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { ICON } from './icon.ts'
import { STYLE } from './style/sheet.ts'

/** A file that all pages share. It holds nothing of anybody and may be served to everybody. */
export interface Asset {
  readonly type: string
  readonly body: Buffer
  /** Changes with the body; quoted, as the header wants it. */
  readonly etag: string
}

/** Scripts are compiled for browsers by the build, also where the program itself runs from source. */
const COMPILED = import.meta.url.endsWith('.ts') ? '../../dist/gateway/pages/client/' : './client/'

const SCRIPTS = ['main.js', 'copy.js', 'rows.js', 'times.js'] as const

const MAKERS: Readonly<Record<string, () => Asset | undefined>> = {
  'style.css': () => assetOf('text/css; charset=utf-8', Buffer.from(STYLE)),
  'icon.svg': () => assetOf('image/svg+xml', Buffer.from(ICON)),
  ...Object.fromEntries(SCRIPTS.map((name) => [name, () => scriptNamed(name)])),
}

const made = new Map<string, Asset>()

/** The file of this name; undefined where there is none. */
export function assetNamed(name: string): Asset | undefined {
  const known = made.get(name)
  if (known !== undefined || !Object.hasOwn(MAKERS, name)) return known
  const asset = MAKERS[name]?.()
  if (asset !== undefined) made.set(name, asset)
  return asset
}

/** Undefined where nothing was built: pages do their work without scripts too. */
function scriptNamed(name: string): Asset | undefined {
  const file = new URL(`${COMPILED}${name}`, import.meta.url)
  return existsSync(file)
    ? assetOf('text/javascript; charset=utf-8', readFileSync(file))
    : undefined
}

function assetOf(type: string, body: Buffer): Asset {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  return { type, body, etag }
}
