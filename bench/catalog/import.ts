import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { ROUNDS } from '../config.ts'
import { median, type Part } from '../rows.ts'

/** What a process of the part tells. */
export interface Imported {
  /** Operations that became rows or were named as skipped; the paths of a document that was only parsed. */
  readonly tools: number
  /** Milliseconds of CPU time. */
  readonly ms: number
  /** MiB. */
  readonly peak: number
}

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'])

/** What it takes to read an OpenAPI document as rows, beside parsing its JSON alone. */
export async function importing(path: string): Promise<Part> {
  const { paths } = JSON.parse(readFileSync(path, 'utf8')) as {
    readonly paths: Readonly<Record<string, object>>
  }
  const operations = Object.values(paths).flatMap((item) =>
    Object.keys(item).filter((key) => METHODS.has(key)),
  ).length
  const imported: Imported[] = []
  const parsed: Imported[] = []
  for (let round = 0; round < Math.ceil(ROUNDS); round += 1) {
    imported.push(await inProcess(path, 'imported'))
    parsed.push(await inProcess(path, 'parsed'))
  }
  for (const { tools } of imported)
    assert.equal(tools, operations, 'every operation is a row, or skipped by name')
  const of = (samples: readonly Imported[], pick: (sample: Imported) => number) =>
    median(samples.map(pick))
  const [ms, peak] = [({ ms }: Imported) => ms, ({ peak }: Imported) => peak]
  const against = `${operations} operations`
  return {
    rows: [
      { name: 'import', value: of(imported, ms), unit: 'ms CPU', against },
      { name: 'import, peak of memory', value: of(imported, peak), unit: 'MiB', against },
      {
        name: 'import',
        value: of(imported, ms) / of(parsed, ms),
        unit: '×',
        against: 'JSON.parse',
      },
      {
        name: 'import, peak of memory',
        value: of(imported, peak) / of(parsed, peak),
        unit: '×',
        most: 3,
        against: 'JSON.parse',
      },
    ],
    skipped: [],
  }
}

async function inProcess(path: string, what: string): Promise<Imported> {
  const file = `./import.child${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`
  const child = fork(new URL(file, import.meta.url), [path, what], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  const told = once(child, 'message') as Promise<[Imported]>
  const ended = exited.then(([code]) => {
    throw new Error(`import: the process ended with \`${String(code)}\` and told nothing`)
  })
  const [message] = await Promise.race([told, ended])
  ended.catch(() => {})
  await exited
  return message
}
