import { readdirSync, readFileSync } from 'node:fs'

/**
 * CPU time that a process has used, all its threads together, in microseconds; from the scheduler's own account
 * (`/proc/<pid>/task/*\/schedstat`), which is finer than clock ticks. Undefined where there is no such account.
 */
export function cpuMicroseconds(pid: number): number | undefined {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`)
    return tasks.reduce((sum, task) => sum + threadMicroseconds(pid, task), 0)
  } catch {
    return undefined
  }
}

function threadMicroseconds(pid: number, task: string): number {
  const [onCpu] = readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')
  return Number(onCpu) / 1000
}
