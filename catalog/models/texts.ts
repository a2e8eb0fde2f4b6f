import type { Members } from '../check.ts'
import { writtenJson } from '../written-json.ts'
import type { ModelCall } from './types.ts'

/** What a model is given to read. */
export interface ModelTexts {
  readonly system: string | undefined
  readonly input: string
}

const NAME = /\{\{([A-Za-z_][A-Za-z0-9_]*)\}\}/g

/** The names that a text has in double braces. */
export function namesIn(text: string): readonly string[] {
  return [...text.matchAll(NAME)].map(([, name = '']) => name)
}

/** The call's own texts. What comes from another call's answer is none: nothing in it is a name. */
export function writtenTexts({ system, input }: Pick<ModelCall, 'system' | 'input'>) {
  return [system, input].filter((text) => typeof text === 'string')
}

/**
 * The texts of a call with its variables in their places. `filled` gives a value with the answers of other calls in it; a text
 * among them stands as it is, every other value as JSON.
 */
export function modelTexts(call: ModelCall, filled: (value: unknown) => unknown): ModelTexts {
  const { system, input, vars } = call
  const values = vars === undefined ? undefined : textsOf(vars, filled)
  const whole = (text: string) =>
    values === undefined ? text : text.replaceAll(NAME, (_, name: string) => values.get(name) ?? '')
  return {
    system: system === undefined ? undefined : whole(system),
    input: typeof input === 'string' ? whole(input) : textOf(filled(input)),
  }
}

function textsOf(vars: Members, filled: (value: unknown) => unknown): ReadonlyMap<string, string> {
  return new Map(Object.entries(vars).map(([name, value]) => [name, textOf(filled(value))]))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : writtenJson(value)
}
