import type { Ask } from '../ask.ts'
import type { Axis, Refusal } from '../axis.ts'
import { MODEL, MODELS } from '../cedar/attributes.ts'
import { type Globs, readGlobs } from '../globs.ts'
import { orList } from '../lists.ts'
import { isName, show } from '../text.ts'
import { bornValues, MAX_VALUES } from '../values.ts'

/** Which models may be called. */
export const model: Axis = {
  name: 'model',
  ops: ['='],
  value: 'names and globs, parted by commas',
  says: 'the model of a model call matches one of them, batch included',
  example: 'model = gpt-*,claude-*',
  read({ value }) {
    const globs = readGlobs(value)
    if (typeof globs === 'string') return globs
    return {
      get words() {
        return `only the models ${orList(globs.items)}`
      },
      refuses: (ask) => refuses(globs, ask),
      cedar: {
        attributes: [MODELS, MODEL],
        condition({ at, has }) {
          const kind = at(MODELS.key)
          const granted = `${has(MODEL.key)} && ${globs.cedar(at(MODEL.key))}`
          return `${kind} == "none" || (${kind} == "values" && ${granted})`
        },
      },
    }
  },
}

function refuses(globs: Globs, { model: called }: Ask): Refusal | undefined {
  if (called.kind === 'none') return undefined
  const granted = orList(globs.items)
  if (called.kind === 'unknown') {
    return ungranted('a call of which no model is known', 'call a tool of the catalog')
  }
  const names = bornValues(called)
  if (names.length === 0) {
    const got = called.values.length === 0 ? 'no model' : `${called.values.length} models`
    return ungranted(got, `name 1 to ${MAX_VALUES} models, each of them ${granted}`)
  }
  const stray = names.findIndex((name) => !isName(name) || !globs.match(name))
  return stray < 0 ? undefined : ungranted(show(names[stray]), `call a model that is ${granted}`)
}

function ungranted(got: string, repair: string): Refusal {
  return { code: 'model_not_granted', got, repair }
}
