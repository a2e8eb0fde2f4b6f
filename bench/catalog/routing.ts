import assert from 'node:assert/strict'
import FindMyWay from 'find-my-way'
import { createRouter, defaultPort, type Tool } from '../../catalog/index.ts'
import { measure, type Row as Timed } from '../micro/measure.ts'
import type { Part } from '../rows.ts'
import { madeCatalog } from './made.ts'

/** Requests that one run matches, so that the clock is read rarely. */
const REQUESTS = 100

interface Request {
  readonly tool: Tool
  readonly path: string
  readonly id: string
}

interface Matched {
  readonly name: string
  readonly id: string | undefined
}

/** How long it takes to find the row of a request among many, beside find-my-way with one router for each host. */
export async function routing(count: number): Promise<Part> {
  const tools = madeCatalog(count)
  const requests = Array.from({ length: REQUESTS }, (_, at): Request => {
    const tool = tools[Math.floor((at * tools.length) / REQUESTS)]!
    const id = `id-${at}`
    return { tool, id, path: `${tool.path.replace(/\{.*\}/, id)}?page=2` }
  })
  const contestants = [
    rowOf('our router', requests, ours(tools)),
    rowOf('find-my-way', requests, findMyWay(tools)),
  ]
  const figures = await measure(contestants)
  const [own = Number.NaN, other = Number.NaN] = contestants.map(
    ({ name }) => (figures.get(name) ?? Number.NaN) / REQUESTS,
  )
  const against = `${count} rows`
  return {
    rows: [
      { name: 'a match, our router', value: own, unit: 'µs CPU', most: 20, against },
      { name: 'a match, find-my-way', value: other, unit: 'µs CPU', against },
      { name: 'a match, our router', value: other / own, unit: '×', against: 'find-my-way' },
    ],
    skipped: [],
  }
}

type Match = (request: Request) => Matched | undefined

function rowOf(name: string, requests: readonly Request[], match: Match): Timed {
  return {
    name,
    says: '',
    once() {
      for (const request of requests) {
        const found = match(request)
        if (found?.name !== request.tool.name || found.id !== request.id)
          assert.fail(`${name}: ${request.path} is ${request.tool.name}, got ${found?.name}`)
      }
    },
  }
}

function ours(tools: readonly Tool[]): Match {
  const router = createRouter(tools)
  return ({ tool: { method, scheme, host }, path }) => {
    const found = router.match(method, { scheme, host, port: defaultPort(scheme) }, path)
    return found && { name: found.tool.name, id: Object.values(found.params)[0] }
  }
}

/** It knows no hosts but by constraints, which are slower than a router of its own for each. */
function findMyWay(tools: readonly Tool[]): Match {
  const routers = new Map<string, FindMyWay.Instance<FindMyWay.HTTPVersion.V1>>()
  for (const tool of tools) {
    const router = routers.get(tool.host) ?? FindMyWay()
    routers.set(tool.host, router)
    const path = tool.path.replaceAll(/\{(\w+)\}/g, ':$1')
    router.on(tool.method as FindMyWay.HTTPMethod, path, () => {}, tool)
  }
  return ({ tool: { method, host }, path }) => {
    const found = routers.get(host)?.find(method as FindMyWay.HTTPMethod, path) ?? undefined
    return found && { name: (found.store as Tool).name, id: Object.values(found.params)[0] }
  }
}
