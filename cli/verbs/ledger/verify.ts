import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { readLedgerEvidence, readLedgerKey, verifyLedger } from '../../../gateway/offline.ts'
import type { LedgerCheck } from '../../../gateway/offline.ts'
import { EXIT, Fault } from '../../exit.ts'
import { JSON_OUTPUT, PLACE } from '../../options.ts'
import { openExistingPlace } from '../../place.ts'
import type { Terminal } from '../../terminal.ts'
import { defineVerb } from '../../verb.ts'

function headOf(hash: string): { readonly hash: string } {
  if (/^[0-9a-f]{64}$/.test(hash)) return { hash }
  throw new Fault(EXIT.usage, `head: got \`${hash}\``, 'write the 64 hex digits of ledger-head')
}

/** A key is short enough to be typed; a file that holds one will do. */
function keyOf(text: string, cwd: string) {
  const file = resolve(cwd, text)
  const key = readLedgerKey(existsSync(file) ? readFileSync(file, 'utf8') : text)
  if (key !== undefined) return key
  const repair = 'write the line that narrowgate ledger key prints, or a file that holds it'
  throw new Fault(EXIT.usage, `key: got \`${text}\``, repair)
}

/** Reads what was kept, of which something has to be there. */
function evidenceOf(name: 'checkpoint' | 'receipt', file: string, cwd: string) {
  const path = resolve(cwd, file)
  const read = existsSync(path) ? readLedgerEvidence(file, readFileSync(path, 'utf8')) : undefined
  const holds = name === 'checkpoint' ? read?.note : (read?.receipt ?? read?.lines)
  if (read !== undefined && holds !== undefined) return read
  const repair = 'name a file with what an owner door or narrowgate ledger show gave'
  throw new Fault(EXIT.usage, `${name}: \`${file}\` holds none`, repair)
}

/** Checks a log from its files alone. Exit 1 where anything does not fit. */
export const verify = defineVerb({
  positionals: {
    folder: { type: 'string', describe: 'a folder of segments; the state’s own by default' },
  },
  options: {
    ...PLACE,
    head: {
      type: 'string',
      array: true,
      requiresArg: true,
      describe:
        'a hash that must lie on the chain, from the answer header ledger-head (repeatable)',
    },
    checkpoint: {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'file with a checkpoint that was kept elsewhere (repeatable)',
    },
    receipt: {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'file with a receipt, or its proof, that was kept elsewhere (repeatable)',
    },
    key: {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'verifier key, or a file that holds it; the state’s own for its own folder',
    },
    ...JSON_OUTPUT,
  },
  examples: [
    ['', 'the log of this state'],
    ['./copy --head 9f2c…', 'a copy, against a head noted before: a cut end is seen too'],
    ['./copy --key ledger.vkey --checkpoint kept.txt', 'against a checkpoint that was kept'],
    ['./copy --receipt mine.json', 'against a receipt that a client holds'],
  ],
  async run(values, terminal) {
    const { cwd } = terminal
    const evidence = [
      ...(values.checkpoint ?? []).map((file) => evidenceOf('checkpoint', file, cwd)),
      ...(values.receipt ?? []).map((file) => evidenceOf('receipt', file, cwd)),
    ]
    const heads = (values.head ?? []).map(headOf)
    const named = (values.key ?? []).map((text) => keyOf(text, cwd))
    const place =
      values.folder === undefined ? await openExistingPlace(values, terminal) : undefined
    const own = named.length === 0 ? await place?.ledgerKey() : undefined
    const keys = own === undefined ? named : [keyOf(own, cwd)]
    const folder = place?.ledgerFolder ?? resolve(cwd, values.folder ?? '')
    const result = await verifyLedger(folder, { heads, evidence, keys })
    if (values.json) terminal.out.line(JSON.stringify(result))
    else tell(result, keys.length > 0, terminal)
    return result.sound ? EXIT.ok : EXIT.no
  },
})

function tell(result: LedgerCheck, isKeyed: boolean, { out }: Terminal): void {
  for (const { kind, file, record, offset, what } of result.faults)
    out.line(`${out.bad(kind)} ${file} record ${record} at byte ${offset}: ${what}`)
  const { sound, records, openIntents, head = 'none' } = result
  const verdict = sound ? out.good('verified') : out.bad('not verified')
  out.line(`${verdict}  ${records} records, ${openIntents.length} open, head ${head}`)
  for (const { writer, n, signed } of result.heads) {
    const by = isKeyed
      ? 'signed with the key'
      : 'in checkpoints whose signatures were not looked at'
    out.line(`  ${writer}: ${signed} of ${n} records ${by}`)
  }
  if (result.verdict === 'torn tail')
    out.line(out.warn('the last line is not whole: it is being written, or the next start cuts it'))
}
