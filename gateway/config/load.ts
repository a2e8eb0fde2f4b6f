import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { CedarReader } from '../../policy/index.ts'
import { buildConfig } from './build.ts'
import { createConfigFiles, type ConfigFiles } from './files.ts'
import { createReport } from './report.ts'
import { shape } from './shape.ts'
import type { Loaded, Overrides } from './types.ts'
import { readYaml } from './yaml.ts'

export interface ParseOptions {
  /** Folder to which relative paths in the configuration refer. */
  readonly base: string
  readonly env: NodeJS.ProcessEnv
  readonly file?: string | undefined
  readonly overrides?: Overrides | undefined
  /** Gives an instance of the engine that reads guardrails; by default always the same one. */
  readonly loadCedar?: (() => CedarReader) | undefined
}

export interface LoadOptions {
  /** Without it `narrowgate.yaml` in `cwd` is read, if there is one; else the defaults stand. */
  readonly file?: string | undefined
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly overrides?: Overrides | undefined
  /** Gives an instance of the engine that reads guardrails; by default always the same one. */
  readonly loadCedar?: (() => CedarReader) | undefined
}

const DEFAULT_FILE = 'narrowgate.yaml'

/** Reads, checks and freezes the configuration. It tells all problems at once, and reads no secret. */
export function loadConfig({ file, env, cwd, overrides, loadCedar }: LoadOptions): Loaded {
  const path = resolve(cwd, file ?? DEFAULT_FILE)
  const files = createConfigFiles(file === undefined ? cwd : dirname(path), env)
  if (file === undefined && !existsSync(path)) {
    return parse('', files, { env, cwd, overrides, loadCedar })
  }
  const read = files.read(path)
  if ('text' in read) return parse(read.text, files, { env, cwd, file: path, overrides, loadCedar })
  const problem = {
    path,
    got: `an error (${read.why})`,
    repair: 'name a configuration file that can be read',
  }
  return { ok: false, problems: [problem] }
}

/** The same for a text. */
export function parseConfig(text: string, options: ParseOptions): Loaded {
  const files = createConfigFiles(options.base, options.env)
  return parse(text, files, { ...options, cwd: options.base })
}

function parse(text: string, files: ConfigFiles, options: LoadOptions): Loaded {
  const read = readYaml(text)
  if (!read.ok) return read
  const { raw, problems, misshapen } = shape(read.value)
  const report = createReport(problems, misshapen)
  const { env, cwd, file, overrides, loadCedar } = options
  const config = buildConfig(raw, { env, cwd, file, files, report, overrides, loadCedar })
  return report.problems.length === 0
    ? { ok: true, config }
    : { ok: false, problems: report.problems }
}
