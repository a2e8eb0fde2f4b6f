import type { Tool } from '../../../catalog/index.ts'

/** A row of an example, with what a test is about. */
export function rowWith(more: Partial<Tool>): Tool {
  return {
    name: 'EXAMPLE_CALL',
    summary: 'an example',
    scheme: 'https',
    host: 'api.example.com',
    method: 'GET',
    path: '/v1',
    args: { properties: {} },
    ...more,
  }
}
