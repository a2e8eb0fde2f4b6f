import assert from 'node:assert/strict'
import MiniSearch from 'minisearch'
import { createResolver, type Tool } from '../../catalog/index.ts'
import { ROUNDS, WARM_UP_SECONDS } from '../config.ts'
import { median, type Part, type Row } from '../rows.ts'
import { madeCatalog, questionsTo, type Question } from './made.ts'

const QUESTIONS = 200
/** The others answer a fifth of them, of all kinds: in a large catalog each takes them a good part of a second. */
const isForAll = (_question: unknown, at: number) => at % 25 < 5
const SHOWN = 20
/** Milliseconds: what 95 of 100 questions may take, at any size. */
const AIM = 5
/** A catalog of the size that the light listing is measured on. */
const COMMON = 1340

/** Answers a question with the names that it found, best first. */
interface Contestant {
  readonly name: string
  find(question: string): readonly string[]
}

/** How long a question takes in a catalog of 1,340 rows and in a large one, beside others. */
export async function resolve(count: number): Promise<Part> {
  const sizes = [...new Set([COMMON, count])]
  return { rows: sizes.flatMap((size) => rowsFor(madeCatalog(size))), skipped: [] }
}

function rowsFor(tools: readonly Tool[]): readonly Row[] {
  const against = `${tools.length} rows`
  const questions = questionsTo(tools, QUESTIONS)
  const [own, ...ownBuilt] = built(ours, tools)
  check(own, questions)
  // By itself first: the indexes of the others would be the collector's to go through.
  const [alone = []] = measure([own], questions)
  const peers = [miniSearch, linearScan].map((make) => built(make, tools))
  const contestants = [own, ...peers.map(([peer]) => peer)]
  const [beside = [], ...theirs] = measure(contestants, questions.filter(isForAll))
  return [
    ...ownBuilt,
    ...peers.flatMap(([, row]) => row),
    ...quantiles(own, alone, { against, most: AIM }),
    ...peers.flatMap(([peer], at) => quantiles(peer, theirs[at]!, { against })),
    ...peers.map(([{ name }], at) => ({
      name: `p95, ${own.name}`,
      value: quantile(theirs[at]!, 0.95) / quantile(beside, 0.95),
      unit: '×',
      against: `${name}, ${against}`,
    })),
  ]
}

/** A contestant, and what it took to make it. */
function built(
  make: (tools: readonly Tool[]) => Contestant,
  tools: readonly Tool[],
): readonly [Contestant, Row] {
  const before = cpu()
  const contestant = make(tools)
  const value = (cpu() - before) / 1000
  const name = `made, ${contestant.name}`
  return [contestant, { name, value, unit: 'ms CPU', against: `${tools.length} rows` }]
}

function quantiles(
  { name }: Contestant,
  times: readonly number[],
  { against, most }: { readonly against: string; readonly most?: number },
): readonly Row[] {
  const bound = most === undefined ? {} : { most }
  return [
    { name: `p50, ${name}`, value: quantile(times, 0.5), unit: 'ms CPU', against },
    { name: `p95, ${name}`, value: quantile(times, 0.95), unit: 'ms CPU', against, ...bound },
  ]
}

function ours(tools: readonly Tool[]): Contestant {
  const resolver = createResolver(tools)
  return {
    name: 'our resolver',
    find: (text) => resolver.find(text, { limit: SHOWN }).map(({ row }) => row.name),
  }
}

/** With typing errors and beginnings of words, which it leaves out otherwise; what it finds has no reason. */
function miniSearch(tools: readonly Tool[]): Contestant {
  const engine = new MiniSearch<object>({
    idField: 'at',
    fields: ['name', 'summary', 'path', 'args'],
    storeFields: ['tool'],
    tokenize: (text) => text.split(/[^A-Za-z\d]+/),
    searchOptions: { prefix: true, fuzzy: 0.2, boost: { name: 4 } },
  })
  const rows = tools.map((tool, at) => {
    const args = Object.keys(tool.args.properties).join(' ')
    return { at, tool: tool.name, name: tool.name, summary: tool.summary, path: tool.path, args }
  })
  engine.addAll(rows)
  return {
    name: 'minisearch',
    find: (text) =>
      engine
        .search(text)
        .slice(0, SHOWN)
        .map(({ tool }) => tool as string),
  }
}

/** Goes through the text of every row and counts the asked words in it: no typing errors, no order besides. */
function linearScan(tools: readonly Tool[]): Contestant {
  const texts = tools.map(({ name, summary, path, args }) =>
    [name.replaceAll('_', ' '), summary, path, ...Object.keys(args.properties)]
      .join(' ')
      .toLowerCase(),
  )
  return {
    name: 'linear scan',
    find(text) {
      const words = text.toLowerCase().split(/[^a-z\d]+/)
      const counts = texts.map((row) => words.filter((word) => row.includes(word)).length)
      const most = [...counts.keys()].toSorted((a, b) => counts[b]! - counts[a]!)
      return most.slice(0, SHOWN).map((at) => tools[at]!.name)
    },
  }
}

/** @throws Error where the row that was meant is not among the first */
function check({ name, find }: Contestant, questions: readonly Question[]): void {
  for (const { kind, text, means } of questions) {
    const found = find(text)
    if (means !== undefined)
      assert.ok(found.includes(means.name), `${name}, ${kind}: \`${text}\` finds ${means.name}`)
    if (kind === 'name') assert.equal(found[0], means?.name, 'a name is found first')
  }
}

/** Milliseconds of CPU time for each question, the median of its rounds, for each contestant. */
function measure(
  contestants: readonly Contestant[],
  questions: readonly Question[],
): readonly (readonly number[])[] {
  const samples = contestants.map(() => questions.map((): number[] => []))
  // Alone there is time for more of them. In the first ones everything is compiled.
  const [warm, timed] =
    contestants.length === 1 ? [Math.ceil(WARM_UP_SECONDS / 2), 5 * ROUNDS] : [1, Math.ceil(ROUNDS)]
  for (let round = 0; round < warm + timed; round += 1)
    for (const [at, { text }] of questions.entries())
      for (const [who, { find }] of contestants.entries()) {
        const before = cpu()
        find(text)
        const took = (cpu() - before) / 1000
        if (round >= warm) samples[who]![at]!.push(took)
      }
  return samples.map((each) => each.map(median))
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN
}

/** Microseconds of CPU time of this process. */
function cpu(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}
