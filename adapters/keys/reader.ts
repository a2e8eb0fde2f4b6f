import { execFile } from 'node:child_process'
import type { ExecFileException } from 'node:child_process'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { SecretReader, SecretSource } from './port.ts'
import { SecretText } from './secret.ts'

interface SecretReaderOptions {
  /** The environment to read from; commands run in it too. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Folder that relative file names start from, and in which commands run. */
  readonly baseFolder: string
}

const COMMAND_MS = 10_000
const MAX_BYTES = 65_536
const READABLE_BY_ALL = 0o004

/** Reads secrets from the environment, from files and from commands. Errors name the source, never what it gave. */
export function createSecretReader(options: SecretReaderOptions): SecretReader {
  return {
    async read(name, source) {
      const value = await readSource(name, source, options)
      if (value === '')
        throw new Error(`secret ${name}: ${describe(source)} is empty; put the secret there`)
      return new SecretText(name, value)
    },
  }
}

function readSource(
  name: string,
  source: SecretSource,
  options: SecretReaderOptions,
): Promise<string> {
  if ('env' in source) return readVariable(name, source.env, options.env)
  if ('file' in source) return readSecretFile(name, resolve(options.baseFolder, source.file))
  return runCommand(name, source.command, options)
}

function describe(source: SecretSource): string {
  if ('env' in source) return `variable \`${source.env}\``
  if ('file' in source) return `file \`${source.file}\``
  return `the output of command \`${source.command[0] ?? ''}\``
}

async function readVariable(
  name: string,
  variable: string,
  env: SecretReaderOptions['env'],
): Promise<string> {
  const value = env[variable]
  if (value !== undefined) return value
  throw new Error(
    `secret ${name}: variable \`${variable}\` is not set; set it where the gateway starts`,
  )
}

async function readSecretFile(name: string, path: string): Promise<string> {
  const where = `secret ${name}: file \`${path}\``
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${where} can not be read, \`${error.code}\`; check its name and owner`)
  })
  try {
    // Asked of the open file, so that no other can take its place between check and reading.
    const { mode, size } = await file.stat()
    if ((mode & READABLE_BY_ALL) !== 0) {
      const got = (mode & 0o777).toString(8).padStart(4, '0')
      throw new Error(`${where} can be read by everybody, mode \`${got}\`; make it 0600 or 0640`)
    }
    if (size > MAX_BYTES)
      throw new Error(`${where} has \`${size}\` bytes; a secret has at most ${MAX_BYTES}`)
    return withoutNewline(await file.readFile('utf8'))
  } finally {
    await file.close()
  }
}

function withoutNewline(text: string): string {
  return text.replace(/\r?\n$/, '')
}

/** Runs without a shell. The error of execFile holds command line and output, so it is not passed on. */
function runCommand(
  name: string,
  [program = '', ...args]: readonly string[],
  { env, baseFolder }: SecretReaderOptions,
): Promise<string> {
  const where = `secret ${name}: command \`${program}\``
  const options = { cwd: baseFolder, env, timeout: COMMAND_MS, maxBuffer: MAX_BYTES, shell: false }
  return new Promise((done, reject) => {
    execFile(program, args, options, (error, stdout) => {
      if (error === null) done(stdout.trim())
      else reject(new Error(`${where} failed, \`${howItEnded(error)}\`; run it by hand to see why`))
    }).stdin?.end()
  })
}

function howItEnded(error: ExecFileException): string {
  if (error.killed === true && typeof error.code !== 'number')
    return `stopped after ${COMMAND_MS / 1000} s`
  if (typeof error.signal === 'string') return `signal ${error.signal}`
  return typeof error.code === 'number' ? `exit code ${error.code}` : (error.code ?? 'unknown')
}
