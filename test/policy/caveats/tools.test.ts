import { testAxis } from './table.ts'

const stars = (count: number) => Array.from({ length: count + 1 }, () => 'a').join('*')

testAxis({
  good: [
    'tools = A',
    'tools = EXA_SEARCH,LEADS_*',
    'tools = *',
    'tools = A,A',
    'tools = **',
    `tools = ${stars(16)}`,
  ],
  bad: [
    ['tools = ', /begins or ends with a space/],
    ['tools =', /one value/],
    ['tools', /the op `` is not known/],
    ['tools = A,', /empty item/],
    ['tools = ,A', /empty item/],
    ['tools = A,,B', /empty item/],
    ['tools = A, B', /holds a space/],
    ['tools in A', /use `=`/],
    ['tools  = A', /the op `` is/],
    ['tools =  A', /one value/],
    ['tools=A', /the axis `tools=A`/],
    [`tools = ${stars(17)}`, /more than 16 stars/],
  ],
  judged: [
    {
      line: 'tools = EXA_SEARCH,LEADS_*',
      holds: [
        { tool: 'EXA_SEARCH' },
        { tool: 'LEADS_' },
        { tool: 'LEADS_FIND' },
        { tool: `LEADS_${'a'.repeat(250)}` },
      ],
      refuses: [
        { tool: 'EXA_SEARCH2' },
        { tool: 'exa_search' },
        { tool: 'XLEADS_FIND' },
        { tool: '' },
        { tool: 'LEADS_\ud800' },
        { tool: `LEADS_${'a'.repeat(251)}` },
      ],
      code: 'tool_not_granted',
    },
    {
      line: 'tools = A*B*B',
      holds: [{ tool: 'ABB' }, { tool: 'AxBxB' }, { tool: 'ABBBB' }],
      refuses: [{ tool: 'AB' }, { tool: 'ABBx' }, { tool: 'xABB' }],
      code: 'tool_not_granted',
    },
    {
      line: 'tools = caf\u00e9',
      holds: [{ tool: 'caf\u00e9' }],
      refuses: [{ tool: 'cafe\u0301' }],
      code: 'tool_not_granted',
    },
    {
      line: 'tools = a.c?[x]"\\',
      holds: [{ tool: 'a.c?[x]"\\' }],
      refuses: [{ tool: 'abcdx' }, { tool: 'abc' }],
      code: 'tool_not_granted',
    },
  ],
})
