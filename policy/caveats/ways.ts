import { WAYS } from '../ask.ts'
import type { Axis } from '../axis.ts'
import { WAY } from '../cedar/attributes.ts'
import { quoteSet } from '../cedar/text.ts'
import { orList, readNames } from '../lists.ts'
import { show } from '../text.ts'

const KNOWN: readonly string[] = WAYS

/** Through which doors calls may come. */
export const ways: Axis = {
  name: 'ways',
  ops: ['='],
  value: `names, parted by commas, of ${WAYS.join(', ')}`,
  says: 'the call came through one of these doors',
  example: 'ways = link,mcp',
  read({ value }) {
    const read = readNames(value)
    if (typeof read === 'string') return read
    const names = [...new Set(read)]
    const unknown = names.find((name) => !KNOWN.includes(name))
    if (unknown !== undefined) {
      return `the way \`${unknown}\` is not known; use ${orList(WAYS)}`
    }
    const granted = new Set<string>(names)
    return {
      get words() {
        return `only through the door ${orList(names)}`
      },
      refuses({ way }) {
        if (granted.has(way)) return undefined
        return {
          code: 'way_not_granted',
          got: show(way),
          repair: `call through ${orList(names)}, or ask for a token whose ways include ${show(way)}`,
        }
      },
      cedar: {
        attributes: [WAY],
        condition: ({ at, has }) =>
          `${has(WAY.key)} && ${quoteSet(names)}.contains(${at(WAY.key)})`,
      },
    }
  },
}
