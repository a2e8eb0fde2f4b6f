import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { ROOT } from '../rules/tree.ts'

/** The published client as a browser gets it: one module, without anything of Node.js. */
export interface Bundle {
  readonly text: string
  readonly bytes: number
  readonly zipped: number
  /** The files that are in it, as paths from the root. */
  readonly inputs: readonly string[]
}

/** Bundles and minifies it; a package of Node.js in it would be an error, since nothing stands for those. */
export async function bundledClient(): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: `export * from 'narrowgate/client'`, resolveDir: ROOT },
    absWorkingDir: ROOT,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    metafile: true,
    write: false,
    logLevel: 'silent',
  })
  const [file] = outputFiles
  const text = file?.text ?? ''
  const [output] = Object.values(metafile.outputs)
  const inputs = Object.entries(output?.inputs ?? {})
  return {
    text,
    bytes: Buffer.byteLength(text),
    zipped: gzipSync(text).length,
    inputs: inputs.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  }
}
