import type { Axis } from '../axis.ts'
import { TASK } from '../cedar/attributes.ts'
import { pattern, quote } from '../cedar/text.ts'
import { isTaskPath, isTaskWithin } from '../tasks.ts'
import { isJudgeable, show } from '../text.ts'

/** Under which task every call is recorded. */
export const task: Axis = {
  name: 'task',
  ops: ['='],
  value: 'a path such as T-7/3',
  says: 'the call names no task, this one, or one below it; it is recorded there',
  example: 'task = T-7/3',
  read({ value }) {
    if (!isTaskPath(value))
      return `\`${value}\` is no task path; use names parted by single slashes`
    return {
      words: `every call is recorded under the task ${value}`,
      refuses(ask) {
        const named = ask.task
        if (named === undefined) return undefined
        if (isJudgeable(named) && isTaskPath(named) && isTaskWithin(named, value)) return undefined
        return {
          code: 'task_mismatch',
          got: show(named),
          repair: `name no task, ${value} or one below it`,
        }
      },
      cedar: {
        attributes: [TASK],
        condition: ({ at, has }) => {
          const named = at(TASK.key)
          const below = pattern([`${value}/`, ''])
          return `!(${has(TASK.key)}) || ${named} == ${quote(value)} || ${named} like ${below}`
        },
      },
      facts: { task: value },
    }
  },
}
