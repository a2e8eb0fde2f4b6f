import { readFileSync } from 'node:fs'
import { createOpenApiReader } from '../../adapters/documents/openapi.ts'
import { rowsOfOpenApi } from '../../catalog/index.ts'
import type { Imported } from './import.ts'

// Reads a document in a process of its own, so that the peak is that of this work alone; `parsed` reads its JSON and no more.
const [, , path = '', what = ''] = process.argv
const started = process.cpuUsage()
const tools = what === 'parsed' ? parsed() : await imported()
const { user, system } = process.cpuUsage(started)
process.send?.({
  tools,
  ms: (user + system) / 1000,
  // Kilobytes, on Linux and macOS alike in libuv's account.
  peak: process.resourceUsage().maxRSS / 1024,
} satisfies Imported)
process.disconnect()

function parsed(): number {
  const { paths } = JSON.parse(readFileSync(path, 'utf8')) as { readonly paths: object }
  return Object.keys(paths).length
}

async function imported(): Promise<number> {
  const read = await createOpenApiReader().read(readFileSync(path, 'utf8'))
  if (!read.ok) throw new Error(read.why)
  const rows = rowsOfOpenApi(read.document, { prefix: 'GITHUB' })
  if (!rows.ok) throw new Error(rows.problem.got)
  return rows.tools.length + rows.skipped.length
}
