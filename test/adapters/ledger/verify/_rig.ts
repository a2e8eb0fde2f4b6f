import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { SecretText } from '../../../../adapters/keys/secret.ts'
import { openCheckpoints } from '../../../../adapters/ledger/checkpoint/checkpoints.ts'
import { createSigner, type NoteSigner } from '../../../../adapters/ledger/checkpoint/note.ts'
import { printCheckpoint } from '../../../../adapters/ledger/checkpoint/text.ts'
import { openIngest } from '../../../../adapters/ledger/ingest/open.ts'
import { joinReceipt } from '../../../../adapters/ledger/index/receipt.ts'
import type { SegmentLog } from '../../../../adapters/ledger/segment/log.ts'
import { verifySegments } from '../../../../adapters/ledger/verify.ts'
import { readEvidence } from '../../../../adapters/ledger/verify/evidence.ts'
import { readVerifierKey } from '../../../../adapters/ledger/verify/note.ts'
import { openLog, recordsOf, segmentFiles } from '../rig.ts'
import { leavesOf } from '../checkpoint/_stranger.ts'
import { treeHash } from '../tree/_reference.ts'

export const SCRIPT = fileURLToPath(new URL('../../../../verifier/verify.mjs', import.meta.url))

const keyOf = (byte: number) =>
  new SecretText('ledger-key', Buffer.alloc(32, byte).toString('base64url'))
/** Signs as the log's owner, and as somebody else who calls himself the same. */
export const OWNER: NoteSigner = createSigner('log.example', keyOf(5))
export const STRANGER: NoteSigner = createSigner('log.example', keyOf(6))

/** A log on the disk, and what clients have kept of it. */
export interface Corpus {
  /** Holds `ledger`, and the files of what was kept. */
  readonly folder: string
  readonly ledger: string
  readonly writer: string
  /** The recorder whose log was taken in. */
  readonly other: string
}

/** Makes a log of some segments with checkpoints in between, and keeps a head, a checkpoint, receipts and a proof of it. */
export async function makeCorpus(t: Test): Promise<Corpus> {
  const folder = mkdtempSync(join(tmpdir(), 'narrowgate-verify-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const ledger = join(folder, 'ledger')
  const { log } = await openLog(ledger, { rotateBytes: 1800 })
  const proofs = openCheckpoints({
    folder: ledger,
    log,
    name: 'log.example',
    key: keyOf(5),
    everyMs: 3_600_000,
    onAlarm: (alarm) => t.fail(`an alarm: ${JSON.stringify(alarm)}`),
  })
  const keep = (name: string, text: string) => writeFileSync(join(folder, name), text)
  const [opened, closed] = ['2026-11-29T12:00:00.000Z', '2026-11-29T12:00:02.000Z']
  for (let at = 1; at <= 12; at += 1) {
    const intent = await log.intent({ id: `x-${at}`, opened, tool: 'HTTP_GET', task: `T-${at}` })
    await log.event({ event: 'noted', subject: `s-${at}`, data: { text: `ä "${at}"` } })
    await log.outcome(intent, { outcome: 'allowed', ran: true, status: 200, closed })
    await log.refusal({ id: `r-${at}`, opened, outcome: 'refused', ran: false, closed })
    if (at % 4 === 0) await proofs.sign()
    if (at === 6) {
      keep('head.txt', log.head().hash)
      keep('kept.txt', (await proofs.sign()).note)
    }
  }
  const other = await takeInOther(log, folder)
  const proof = await proofs.inclusion({ id: 'x-5', opened, closed })
  keep(
    'proof.json',
    JSON.stringify({ receipt: 'x-5', ...proof, checkpoint: proof?.checkpoint.note }),
  )
  await proofs.close()
  await log.close()
  const records = recordsOf(ledger, log.head().writer)
  const intent = records.find(({ id }) => id === 'x-5') ?? {}
  const outcome = records.find((record) => record['intent'] === intent['n'])
  keep('receipt.json', JSON.stringify(joinReceipt(9, intent, outcome)))
  keep('open.json', JSON.stringify(joinReceipt(9, intent, undefined)))
  keep('key.vkey', `${OWNER.verifierKey}\n`)
  return { folder, ledger, writer: log.head().writer, other }
}

/** The log takes in that of another recorder, which has 13 records. */
async function takeInOther(log: SegmentLog, folder: string): Promise<string> {
  const other = join(folder, 'other')
  const { log: recorder } = await openLog(other, { rotateBytes: 1000 })
  for (let at = 1; at <= 13; at += 1)
    await recorder.refusal({ id: `o-${at}`, origin: 'sidecar:box', pad: 'x'.repeat(100) })
  await recorder.close()
  const ingest = openIngest({ folder: join(folder, 'ledger'), log })
  await ingest.take(Readable.from(segmentFiles(other).map((file) => readFileSync(file))))
  return recorder.head().writer
}

/** Another copy of a corpus, to be harmed. */
export function copyOf(t: Test, corpus: Corpus): Corpus {
  const folder = mkdtempSync(join(tmpdir(), 'narrowgate-verify-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(corpus.folder, folder, { recursive: true })
  return { ...corpus, folder, ledger: join(folder, 'ledger') }
}

/** What a verifier is told besides the folder; files are those of the corpus. */
export interface Told {
  readonly key?: boolean
  readonly head?: boolean
  readonly checkpoint?: string
  readonly receipt?: string
}

export interface Judged {
  readonly verdict: string
  /** `kind record`, sorted. */
  readonly faults: readonly string[]
}

interface Faulty {
  readonly verdict: string
  readonly faults: readonly { readonly kind: string; readonly record: number }[]
}

const shortly = ({ verdict, faults }: Faulty): Judged => ({
  verdict,
  faults: faults.map(({ kind, record }) => `${kind} ${record}`).sort(),
})

/** The verifier of the command line. */
export async function byProduct({ folder, ledger }: Corpus, told: Told): Promise<Judged> {
  const kept = [told.checkpoint, told.receipt].filter((name) => name !== undefined)
  const evidence = kept.map((name) => {
    const read = readEvidence(name, readFileSync(join(folder, name), 'utf8'))
    if (read === undefined) throw new Error(`${name} is no evidence`)
    return read
  })
  const key = told.key === true ? readVerifierKey(OWNER.verifierKey) : undefined
  const hash = told.head === true ? readFileSync(join(folder, 'head.txt'), 'utf8') : undefined
  return shortly(
    await verifySegments(ledger, {
      evidence,
      keys: key === undefined ? [] : [key],
      heads: hash === undefined ? [] : [{ hash }],
    }),
  )
}

/** The verifier that a stranger runs. */
export function byStranger({ folder, ledger }: Corpus, told: Told): Judged {
  const args = [
    ...(told.key === true ? ['--key', 'key.vkey'] : []),
    ...(told.head === true ? ['--head', readFileSync(join(folder, 'head.txt'), 'utf8')] : []),
    ...(told.checkpoint === undefined ? [] : ['--checkpoint', told.checkpoint]),
    ...(told.receipt === undefined ? [] : ['--receipt', told.receipt]),
  ]
  return shortly(JSON.parse(runScript(['log', ledger, '--json', ...args], folder).stdout))
}

/** Runs the script while this process goes on: it may be what the script asks. */
export async function askScript(args: readonly string[], cwd: string): Promise<ScriptRun> {
  const child = spawn(process.execPath, [SCRIPT, ...args], { cwd, env: ENV })
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { status: Number(status), stdout, stderr }
}

export function runScript(args: readonly string[], cwd: string): ScriptRun {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], {
    cwd,
    encoding: 'utf8',
    env: ENV,
  })
  return { status, stdout, stderr }
}

interface ScriptRun {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

const ENV = { PATH: process.env['PATH'], NARROWGATE_OWNER_KEY: 'the-owner-key' }

/** Lines of the gateway’s own segments as they stand in their files. */
export function linesOf({
  ledger,
  writer,
}: Corpus): { readonly file: string; readonly lines: string[] }[] {
  return segmentFiles(ledger, writer).map((file) => ({
    file,
    lines: readFileSync(file, 'utf8').trimEnd().split('\n'),
  }))
}

/** Writes segments back as they are now. */
export function writeBack(segments: ReturnType<typeof linesOf>): void {
  for (const { file, lines } of segments)
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''))
}

/** Signs the log as it is now at these sizes, in place of the checkpoints that it had. */
export function signAnew({ ledger, writer }: Corpus, signer: NoteSigner, sizes: readonly number[]) {
  const leaves = leavesOf(ledger, writer)
  const notes = sizes.map((size) => {
    const root = treeHash(leaves.slice(0, size))
    return `${signer.sign(printCheckpoint({ origin: `log.example/${writer}`, size, root }))}\n`
  })
  writeFileSync(join(ledger, writer, 'checkpoints.txt'), notes.join(''))
}
