import { startLab, type Lab } from '../../cli/lab/lab.ts'
import { narrowgate, type Ran, type RunOptions } from './process.ts'

export interface LabRunner extends Lab {
  /** Runs the compiled program in the lab's folder, on the lab's state. */
  run(args: readonly string[], options?: RunOptions): Promise<Ran>
}

/** A gateway in this process with a real API behind it, for tests of the compiled command line. */
export async function openLab(teardown: (end: () => Promise<void>) => void): Promise<LabRunner> {
  const lab = await startLab({ PATH: process.env['PATH'], HOME: process.env['HOME'] })
  teardown(() => lab.stop())
  return {
    ...lab,
    run: (args, options = {}) =>
      narrowgate(args, {
        cwd: lab.folder,
        ...options,
        env: { NARROWGATE_STATE: lab.state, ...options.env },
      }),
  }
}
