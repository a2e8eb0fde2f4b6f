import { EXIT, Fault } from './exit.ts'

/** A name as a text line takes it before `=`. */
const PAIR = /^([^\s="'<>/]+)=(.*)$/s

/** Arguments of a tool as they are typed, `key=value` each; a name may be written several times. */
export function pairsOf(words: readonly string[]): readonly (readonly [string, string])[] {
  return words.map((word) => {
    const [, name, value] = PAIR.exec(word) ?? []
    if (name !== undefined && value !== undefined) return [name, value]
    throw new Fault(EXIT.usage, `got the argument \`${word}\``, 'write it as key=value')
  })
}
