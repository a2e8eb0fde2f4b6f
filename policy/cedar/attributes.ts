import type { Bearing } from '../ask.ts'
import { canonicalPath } from '../paths.ts'
import { isTaskPath } from '../tasks.ts'
import { isJudgeable, isName } from '../text.ts'
import { bornValues } from '../values.ts'
import type { Attribute, Scalar } from './clause.ts'

/** The attributes that lines of several axes share. Each value that may not hold is left out. */

export const TOOL: Attribute = {
  key: 'tool',
  read: ({ tool }) => present(isName(tool) ? tool : undefined),
}

export const WAY: Attribute = {
  key: 'way',
  read: ({ way }) => present(isName(way) ? way : undefined),
}

export const PERSON: Attribute = {
  key: 'person',
  read: ({ person }) => present(isName(person) ? person : undefined),
}

/** Absent where the call names no task; empty, which no line covers, where it is no task path. */
export const TASK: Attribute = {
  key: 'task',
  read: ({ task }) =>
    present(task === undefined || (isJudgeable(task) && isTaskPath(task)) ? task : ''),
}

/** Whole milliseconds, since Cedar's numbers have no fraction. */
export const NOW: Attribute = {
  key: 'now',
  timed: true,
  read: ({ now }) => {
    const whole = Math.floor(now)
    return present(Number.isSafeInteger(whole) ? whole : undefined)
  },
}

export const RUNS_CODE: Attribute = { key: 'runs', read: ({ runsCode }) => [runsCode] }

export const PATHS: Attribute = { key: 'paths', read: ({ paths }) => [paths.kind] }

export const PATH: Attribute = {
  key: 'path',
  read: ({ paths }) => each(paths, (path) => (isJudgeable(path) ? canonicalPath(path) : undefined)),
}

export const MODELS: Attribute = { key: 'models', read: ({ model }) => [model.kind] }

export const MODEL: Attribute = {
  key: 'model',
  read: ({ model }) => each(model, (name) => (isName(name) ? name : undefined)),
}

function present(value: Scalar | undefined): readonly Scalar[] {
  return value === undefined ? [] : [value]
}

function each(
  bearing: Bearing,
  scalar: (value: unknown) => Scalar | undefined,
): readonly (Scalar | undefined)[] {
  return bornValues(bearing).map(scalar)
}
