import { createHash } from 'node:crypto'
import { appendFileSync, cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { segmentFiles } from '../rig.ts'
import { leavesOf, rewrite } from '../checkpoint/_stranger.ts'
import {
  byProduct,
  byStranger,
  copyOf,
  linesOf,
  makeCorpus,
  OWNER,
  signAnew,
  STRANGER,
  writeBack,
  type Corpus,
  type Told,
} from './_rig.ts'

/** Where record `n` stands. */
function placeOf(corpus: Corpus, n: number) {
  const segments = linesOf(corpus)
  for (const segment of segments)
    for (const [at, line] of segment.lines.entries())
      if (new RegExp(`^.{65}\\{"kind":"[a-z]+","n":${n}[,}]`).test(line))
        return { segments, segment, at, line }
  throw new Error(`there is no record ${n}`)
}

/** Changes the lines around record `n`. */
const at =
  (n: number, change: (lines: string[], at: number, line: string) => void) => (corpus: Corpus) => {
    const { segments, segment, at, line } = placeOf(corpus, n)
    change(segment.lines, at, line)
    writeBack(segments)
  }

const hashed = (previous: string, json: string) =>
  `${createHash('sha256').update(previous.slice(0, 64), 'hex').update(json).digest('hex')} ${json}`

const checkpoints = ({ ledger, writer }: Corpus) => join(ledger, writer, 'checkpoints.txt')
const segment = ({ ledger, writer }: Corpus, n: number) => join(ledger, writer, `00000${n}.ndlog`)
const editChain = ({ ledger, writer }: Corpus) =>
  rewrite(ledger, (json) => json.replace('"T-5"', '"T-0"'), writer)
const lastOf = (corpus: Corpus) => leavesOf(corpus.ledger, corpus.writer).length
/** A number whose record has neighbours in its own segment. */
const inside = (corpus: Corpus) =>
  Number(/"first":(\d+)/.exec(linesOf(corpus)[2]?.lines[0] ?? '')?.[1]) + 1
const cutFrom = (corpus: Corpus, n: number) => {
  const { segments, segment, at } = placeOf(corpus, n)
  segment.lines.length = at
  writeBack(segments)
  for (const { file } of segments.slice(segments.indexOf(segment) + 1)) rmSync(file)
}

interface Case {
  readonly harm: (corpus: Corpus) => void
  readonly told?: Told
  /** Undefined where the log is to be found whole. */
  readonly faults?: readonly string[]
}

const keyed: Told = { key: true }
const CASES: Readonly<Record<string, Case>> = {
  'nothing at all': { harm: () => undefined, told: keyed },
  'nothing, against all that was kept': {
    harm: () => undefined,
    told: { key: true, head: true, checkpoint: 'kept.txt', receipt: 'proof.json' },
  },
  'nothing, against a receipt': { harm: () => undefined, told: { receipt: 'receipt.json' } },
  'nothing, against a receipt held while it was open': {
    harm: () => undefined,
    told: { receipt: 'open.json' },
  },
  'a torn tail': { harm: (corpus) => appendFileSync(linesOf(corpus).at(-1)?.file ?? '', 'abc') },

  'a record edited': {
    harm: at(20, (lines, i, line) => (lines[i] = line.replace('"n":20', '"n":20,"y":1'))),
    faults: ['edited 20'],
  },
  'a hash edited': {
    harm: at(
      21,
      (lines, i, line) => (lines[i] = line.replace(/^./, (c) => (c === '0' ? '1' : '0'))),
    ),
    faults: ['edited 21'],
  },
  'a number edited, upwards': {
    harm: at(18, (lines, i, line) => (lines[i] = line.replace('"n":18', '"n":45'))),
    faults: ['edited 18'],
  },
  'a number edited, downwards': {
    harm: at(18, (lines, i, line) => (lines[i] = line.replace('"n":18', '"n":3'))),
    faults: ['edited 18'],
  },
  'a header edited': {
    harm: at(20, (lines) => (lines[0] = lines[0]?.replace('2026', '2027') ?? '')),
    faults: ['edited 0'],
  },
  'a line that is none': {
    harm: at(22, (lines, i, line) => (lines[i] = line.slice(3))),
    faults: ['malformed 22'],
  },
  'a header that is none': {
    harm: at(22, (lines) => (lines[0] = 'nothing')),
    faults: ['malformed 0'],
  },
  'a record dropped': { harm: at(19, (lines, i) => lines.splice(i, 1)), faults: ['dropped 20'] },
  'records dropped at the end of a segment': {
    harm: (corpus) => {
      const segments = linesOf(corpus)
      segments[1]?.lines.splice(-2)
      writeBack(segments)
    },
    faults: ['dropped FIRST:3'],
  },
  'a segment dropped': {
    harm: (corpus) => rmSync(segment(corpus, 3)),
    faults: ['dropped FIRST:4'],
  },
  'the first segment dropped': {
    harm: (corpus) => rmSync(segment(corpus, 1)),
    faults: ['dropped FIRST:2'],
  },
  'neighbours swapped': {
    harm: (corpus) =>
      at(inside(corpus), (lines, i, line) => lines.splice(i, 2, lines[i + 1] ?? '', line))(corpus),
    faults: ['reordered INSIDE'],
  },
  'a record moved back': {
    harm: (corpus) =>
      at(inside(corpus), (lines, i, line) => {
        lines.splice(i, 1)
        lines.splice(i + 2, 0, line)
      })(corpus),
    faults: ['reordered INSIDE'],
  },
  'a record moved forth': {
    harm: (corpus) =>
      at(inside(corpus) + 2, (lines, i, line) => {
        lines.splice(i, 1)
        lines.splice(i - 2, 0, line)
      })(corpus),
    faults: ['reordered INSIDE'],
  },
  'segments swapped': {
    harm: (corpus) => {
      renameSync(segment(corpus, 2), `${segment(corpus, 2)}.away`)
      renameSync(segment(corpus, 3), segment(corpus, 2))
      renameSync(`${segment(corpus, 2)}.away`, segment(corpus, 3))
    },
    faults: ['reordered FIRST:2'],
  },
  'a record put in twice': {
    harm: at(24, (lines, i, line) => lines.splice(i, 0, line)),
    faults: ['inserted 24'],
  },
  'a record put in, its hash right': {
    harm: at(24, (lines, i) =>
      lines.splice(i, 0, hashed(lines[i - 1] ?? '', '{"kind":"event","n":24,"event":"forged"}')),
    ),
    faults: ['inserted 24'],
  },
  'a record put in, its hash wrong': {
    harm: at(24, (lines, i, line) => lines.splice(i, 0, line.replace('"n":24', '"n":24,"x":1'))),
    faults: ['inserted 24'],
  },
  'a record put in under a number of its own': {
    harm: at(24, (lines, i) =>
      lines.splice(i, 0, hashed(lines[i - 1] ?? '', '{"kind":"event","n":9999,"event":"forged"}')),
    ),
    faults: ['inserted 9999'],
  },
  'a segment of another writer': {
    harm: (corpus) => {
      const segments = linesOf(corpus)
      const lines = segments[2]?.lines ?? []
      lines[0] = lines[0]?.replace(corpus.writer, 'w_other') ?? ''
      writeBack(segments)
    },
    faults: ['edited 0', 'inserted 0'],
  },
  'two deeds at once': {
    harm: (corpus) => {
      at(40, (lines, i, line) => (lines[i] = line.replace('"n":40', '"n":40,"y":1')))(corpus)
      at(12, (lines, i) => lines.splice(i, 1))(corpus)
    },
    faults: ['dropped 13', 'edited 40'],
  },

  'the end cut off': { harm: (corpus) => cutFrom(corpus, 50), faults: ['truncated 50'] },
  'the end cut off in a line': {
    harm: (corpus) => {
      cutFrom(corpus, 50)
      appendFileSync(linesOf(corpus).at(-1)?.file ?? '', 'ab')
    },
    faults: ['truncated 50'],
  },
  'the end cut off, checkpoints too, against a head': {
    harm: (corpus) => {
      cutFrom(corpus, 20)
      signAnew(corpus, OWNER, [5, 19])
    },
    told: { key: true, head: true },
    // What was said of the recorder's log is cut off as well.
    faults: ['rewritten 0', 'unsigned 1'],
  },
  'the end cut off, checkpoints too, against a checkpoint': {
    harm: (corpus) => {
      cutFrom(corpus, 20)
      signAnew(corpus, OWNER, [5, 19])
    },
    told: { key: true, checkpoint: 'kept.txt' },
    faults: ['truncated 20', 'unsigned 1'],
  },

  'all rewritten, against its own checkpoints': {
    harm: editChain,
    told: keyed,
    faults: ['rewritten KEPT'],
  },
  'all rewritten, no checkpoint left': {
    harm: (corpus) => {
      editChain(corpus)
      rmSync(checkpoints(corpus))
    },
    told: keyed,
    faults: ['unsigned 1', 'unsigned 1'],
  },
  'all rewritten, no checkpoint left, against a head': {
    harm: (corpus) => {
      editChain(corpus)
      rmSync(checkpoints(corpus))
    },
    told: { head: true },
    faults: ['rewritten 0'],
  },
  'all rewritten, no checkpoint left, against a checkpoint': {
    harm: (corpus) => {
      editChain(corpus)
      rmSync(checkpoints(corpus))
    },
    told: { checkpoint: 'kept.txt' },
    faults: ['rewritten KEPT'],
  },
  'all rewritten, no checkpoint left, against a receipt': {
    harm: (corpus) => {
      editChain(corpus)
      rmSync(checkpoints(corpus))
    },
    told: { receipt: 'receipt.json' },
    faults: ['rewritten X5'],
  },
  'all rewritten, an exchange taken out, against its receipt': {
    harm: (corpus) => {
      rewrite(corpus.ledger, (json) => json.replace('"x-5"', '"x-0"'), corpus.writer)
      rmSync(checkpoints(corpus))
    },
    told: { receipt: 'receipt.json' },
    faults: ['rewritten 0'],
  },
  'all rewritten and signed by another key': {
    harm: (corpus) => {
      editChain(corpus)
      signAnew(corpus, STRANGER, [10, lastOf(corpus)])
    },
    told: keyed,
    faults: ['resigned 10'],
  },
  'all rewritten and signed by the owner, alone': {
    harm: (corpus) => {
      editChain(corpus)
      signAnew(corpus, OWNER, [10, lastOf(corpus)])
    },
    told: keyed,
  },
  'all rewritten and signed by the owner, against a checkpoint': {
    harm: (corpus) => {
      editChain(corpus)
      signAnew(corpus, OWNER, [10, lastOf(corpus)])
    },
    told: { key: true, checkpoint: 'kept.txt' },
    faults: ['forked KEPT'],
  },
  'all rewritten and signed by the owner, against a proof': {
    harm: (corpus) => {
      editChain(corpus)
      signAnew(corpus, OWNER, [10, lastOf(corpus)])
    },
    told: { key: true, receipt: 'proof.json' },
    faults: ['forked PROOF', 'rewritten X5', 'rewritten X5OUT'],
  },
  'two checkpoints of one size': {
    harm: (corpus) => {
      const own = readFileSync(checkpoints(corpus), 'utf8')
      editChain(corpus)
      signAnew(corpus, OWNER, [Number(own.split('\n\n').at(-3)?.split('\n')[1])])
      appendFileSync(checkpoints(corpus), own)
    },
    told: keyed,
    faults: ['forked LAST'],
  },
  'the log of another recorder gone': {
    harm: ({ ledger, other }) => rmSync(join(ledger, other), { recursive: true }),
    told: keyed,
    faults: ['dropped 13'],
  },
  'the log of another recorder cut': {
    harm: ({ ledger, other }) => rmSync(segmentFiles(ledger, other).at(-1) ?? ''),
    told: keyed,
    faults: ['truncated 13'],
  },
  'the log of another recorder rewritten': {
    harm: ({ ledger, other }) => rewrite(ledger, (json) => json.replace('"o-3"', '"o-0"'), other),
    told: keyed,
    faults: ['rewritten 13'],
  },
  'a log that nobody knows put beside it': {
    harm: ({ ledger, other }) => {
      cpSync(join(ledger, other), join(ledger, 'w_unknown'), { recursive: true })
      rewrite(ledger, (json) => json.replace(other, 'w_unknown'), 'w_unknown')
    },
    told: keyed,
    faults: ['unsigned 1'],
  },
  'a checkpoint whose signature was changed': {
    harm: ({ folder }) => {
      const file = join(folder, 'kept.txt')
      writeFileSync(file, readFileSync(file, 'utf8').replace(/....(=*\n)$/, 'AAAA$1'))
    },
    told: { key: true, checkpoint: 'kept.txt' },
    faults: ['resigned KEPT'],
  },
  'a proof whose line was changed': {
    harm: ({ folder }) => {
      const file = join(folder, 'proof.json')
      writeFileSync(file, readFileSync(file, 'utf8').replace('T-5', 'T-6'))
    },
    told: { key: true, receipt: 'proof.json' },
    faults: ['rewritten X5', 'unproven X5'],
  },
  'a file that is no checkpoint': {
    harm: ({ folder }) => writeFileSync(join(folder, 'kept.txt'), 'a\n\nb\n'),
    told: { checkpoint: 'kept.txt' },
    faults: ['malformed 0'],
  },
}

t.test('each deed is named, by both verifiers with the same words', async (t) => {
  const corpus = await makeCorpus(t)
  const segments = linesOf(corpus)
  t.ok(segments.length > 5, `${segments.length} segments`)
  const firstOf = (n: number) => Number(/"first":(\d+)/.exec(segments[n - 1]?.lines[0] ?? '')?.[1])
  const sizeIn = (text: string) => Number(text.split('\n')[1])
  const kept = (name: string) => readFileSync(join(corpus.folder, name), 'utf8')
  const proof = JSON.parse(kept('proof.json'))
  const named: Readonly<Record<string, number>> = {
    INSIDE: inside(corpus),
    KEPT: sizeIn(kept('kept.txt')),
    PROOF: sizeIn(proof.checkpoint),
    X5: proof.records[0].n,
    X5OUT: proof.records[1].n,
    LAST: sizeIn(readFileSync(checkpoints(corpus), 'utf8').split('\n\n').at(-3) ?? ''),
  }
  const filledIn = (fault: string) =>
    fault
      .replace(/FIRST:(\d)/, (_, n) => String(firstOf(Number(n))))
      .replace(/[A-Z]\w+$/, (name) => String(named[name]))

  for (const [name, { harm, told = {}, faults = [] }] of Object.entries(CASES))
    t.test(name, async (t) => {
      const copy = copyOf(t, corpus)
      harm(copy)
      const verdict = faults.length > 0 ? 'damaged' : name === 'a torn tail' ? 'torn tail' : 'ok'
      const due = { verdict, faults: faults.map(filledIn).sort() }
      t.same(await byProduct(copy, told), due, 'the command line')
      t.same(byStranger(copy, told), due, 'the script')
    })
})
