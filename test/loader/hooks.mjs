import { readFile, stat } from 'node:fs/promises'

const ROOT = new URL('../../', import.meta.url).href
const DIST = new URL('dist/', ROOT).href
const OUTSIDE = [DIST, new URL('node_modules/', ROOT).href]

const isOurs = (url) => url.startsWith(ROOT) && !OUTSIDE.some((folder) => url.startsWith(folder))

/** What was compiled names its neighbours `.js`; here they go by the names of their sources. */
export function resolve(specifier, context, next) {
  const fromOurs = context.parentURL?.endsWith('.ts') && isOurs(context.parentURL)
  const neighbour = fromOurs && /^\.\.?\/.*\.js$/.test(specifier)
  return next(neighbour ? specifier.replace(/\.js$/, '.ts') : specifier, context)
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts') || !isOurs(url)) return next(url, context)
  const compiled = new URL(url.slice(ROOT.length).replace(/\.ts$/, '.js'), DIST)
  const source = (await isFresh(url, compiled))
    ? await readCompiled(compiled)
    : await translate(url)
  return { format: 'module', source, shortCircuit: true }
}

async function isFresh(url, compiled) {
  const changed = async (file) => (await stat(file).catch(() => ({ mtimeMs: -1 }))).mtimeMs
  return (await changed(compiled)) >= (await changed(new URL(url)))
}

/** The map is named by its whole path, since the source's address is another folder's. */
async function readCompiled(compiled) {
  const text = await readFile(compiled, 'utf8')
  return text.replace(
    /^\/\/# sourceMappingURL=.*$/m,
    `//# sourceMappingURL=${compiled.pathname}.map`,
  )
}

/** What changed after the last `tsc -b`. */
async function translate(url) {
  const { default: ts } = await import('typescript')
  const compilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    verbatimModuleSyntax: true,
    inlineSourceMap: true,
  }
  const text = await readFile(new URL(url), 'utf8')
  return ts.transpileModule(text, { compilerOptions, fileName: new URL(url).pathname }).outputText
}
