import { operation } from '../operation.ts'

export const TOOL_PATHS = {
  '/api/tools': {
    get: operation({
      summary: 'The rows of the catalog: 100 of them, what is wanted of them, or their names alone',
      answer: 'Tools',
      query: {
        light: '1 for the names of all rows and nothing else',
        want: 'Paths such as `name,summary`, or where, select, order, page and want as JSON',
        select: 'Paths that come back, in place of `want`',
        where: 'Filter as JSON, in place of `want`',
        order: 'Paths to order by, `-` for descending, in place of `want`',
        limit: 'Rows of a page, in place of `want`',
        cursor: 'Where the page begins, in place of `want`',
      },
      refusals: ['unknown_field', 'no_rows', 'not_supported'],
    }),
  },
  '/api/contracts/{tool}': {
    get: operation({
      summary: 'Everything about one tool',
      answer: 'Contract',
      query: {
        ways: 'Names of ways, commas between; all of them without it',
        args: 'Arguments that the texts are written with, as a JSON object; examples without it',
      },
      refusals: ['not_found', 'unknown_field', 'not_supported'],
    }),
  },
  '/api/directory/query': {
    get: operation({
      summary: 'The tools that a question in plain words means, each with its reason',
      answer: 'FoundTools',
      query: { q: 'The question; required', limit: '1 to 1000; 20 without it' },
      refusals: ['unknown_field'],
    }),
  },
} as const
