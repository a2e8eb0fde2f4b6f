import type { Axis } from '../axis.ts'
import { TOOL } from '../cedar/attributes.ts'
import { readGlobs } from '../globs.ts'
import { orList } from '../lists.ts'
import { isName, show } from '../text.ts'

/** Which tools may be called. */
export const tools: Axis = {
  name: 'tools',
  ops: ['='],
  value: 'names and globs, parted by commas',
  says: 'the tool’s name matches one of them; `*` stands for any characters',
  example: 'tools = EXA_SEARCH,LEADS_*',
  read({ value }) {
    const globs = readGlobs(value)
    if (typeof globs === 'string') return globs
    return {
      get words() {
        return `only the tools ${orList(globs.items)}`
      },
      refuses({ tool }) {
        if (isName(tool) && globs.match(tool)) return undefined
        const got = show(tool)
        return {
          code: 'tool_not_granted',
          got,
          repair: `ask for a token whose tools include ${got}`,
        }
      },
      cedar: {
        attributes: [TOOL],
        condition: ({ at, has }) => `${has(TOOL.key)} && ${globs.cedar(at(TOOL.key))}`,
      },
    }
  },
}
