import { startLab, type Lab } from '../../cli/lab/lab.ts'
import { run, type Said } from './in-process.ts'
import { narrowgate, type Ran } from './process.ts'

interface LabOptions {
  readonly input?: string
  readonly env?: Readonly<Record<string, string | undefined>>
}

export interface LabRunner extends Lab {
  /** Runs a command line in this process, on the lab's state. */
  run(args: readonly string[], options?: LabOptions): Promise<Said>
  /** Runs the compiled program: for verbs whose command inherits the terminal. */
  spawn(args: readonly string[]): Promise<Ran>
}

/** A gateway in this process with a real API behind it. */
export async function openLab(teardown: (end: () => Promise<void>) => void): Promise<LabRunner> {
  const own = { PATH: process.env['PATH'], HOME: process.env['HOME'] }
  const lab = await startLab(own)
  teardown(() => lab.stop())
  const env = { ...own, NARROWGATE_STATE: lab.state }
  return {
    ...lab,
    run: (args, options = {}) =>
      run(args, { cwd: lab.folder, input: options.input ?? '', env: { ...env, ...options.env } }),
    spawn: (args) => narrowgate(args, { cwd: lab.folder, env }),
  }
}
