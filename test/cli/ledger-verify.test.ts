import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { rewrite } from '../adapters/ledger/checkpoint/_stranger.ts'
import { makeCorpus, OWNER, STRANGER } from '../adapters/ledger/verify/_rig.ts'
import { run } from './in-process.ts'

t.test('ledger verify says what holds, what does not, and ends with it', async (t) => {
  const { folder, ledger, writer } = await makeCorpus(t)
  const verify = (...args: readonly string[]) =>
    run(['ledger', 'verify', ledger, ...args], { cwd: folder })
  const head = readFileSync(join(folder, 'head.txt'), 'utf8')

  const plain = await verify()
  t.equal(plain.exit, 0)
  t.match(plain.stdout, /^verified {2}\d+ records, 0 open, head [0-9a-f]{64}\n/)
  t.match(plain.stdout, /in checkpoints whose signatures were not looked at\n$/)
  const keyed = await verify('--key', 'key.vkey', '--head', head, '--checkpoint', 'kept.txt')
  t.equal(keyed.exit, 0)
  t.match(keyed.stdout, new RegExp(`  ${writer}: \\d+ of \\d+ records signed with the key\n`))
  t.equal((await verify('--key', OWNER.verifierKey, '--receipt', 'proof.json')).exit, 0)
  t.equal((await verify('--receipt', 'receipt.json', '--receipt', 'open.json')).exit, 0)
  const json = JSON.parse((await verify('--key', OWNER.verifierKey, '--json')).stdout)
  t.match(json, { sound: true, verdict: 'ok', faults: [], heads: [{ writer }] })

  t.test('keys and heads of others', async (t) => {
    const other = await verify('--key', STRANGER.verifierKey)
    t.equal(other.exit, 1)
    t.match(
      other.stdout,
      /^resigned .*checkpoints\.txt record \d+ at byte 0: \d+ of its checkpoints/,
    )
    const both = await verify('--key', STRANGER.verifierKey, '--key', OWNER.verifierKey)
    t.equal(both.exit, 0, 'several keys stand for one that was replaced')
    const unknown = await verify('--head', 'ab'.repeat(32))
    t.equal(unknown.exit, 1)
    t.match(unknown.stdout, /^rewritten .*not on the chain: the log was cut or rewritten/)
  })
  t.test('what is no key, no head, no evidence is wrong usage', async (t) => {
    writeFileSync(join(folder, 'no.txt'), 'nothing')
    for (const [flag, value] of [
      ['--key', 'no.txt'],
      ['--key', OWNER.verifierKey.replace('+', '+0')],
      ['--head', 'abc'],
      ['--checkpoint', 'no.txt'],
      ['--checkpoint', 'missing.txt'],
      ['--checkpoint', 'receipt.json'],
      ['--receipt', 'kept.txt'],
    ] as const) {
      const wrong = await verify(flag, value)
      t.equal(wrong.exit, 2, `${flag} ${value}`)
      t.match(wrong.stderr, new RegExp(flag.slice(2)))
    }
  })
  t.test('a log that was rewritten as a whole', async (t) => {
    rewrite(ledger, (text) => text.replace('"T-5"', '"T-0"'), writer)
    rmSync(join(ledger, writer, 'checkpoints.txt'))
    t.equal((await verify()).exit, 0, 'alone it tells nothing')
    for (const [flag, value, says] of [
      ['--head', head, /^rewritten /],
      ['--checkpoint', 'kept.txt', /^rewritten kept\.txt record \d+/],
      ['--receipt', 'receipt.json', /^rewritten receipt\.json .*something else .* of `task`/],
      ['--receipt', 'proof.json', /^rewritten proof\.json /],
      ['--key', OWNER.verifierKey, /^unsigned /],
    ] as const) {
      const caught = await verify(flag, value)
      t.equal(caught.exit, 1, flag)
      t.match(caught.stdout, says)
    }
  })
})

t.test('ledger key needs a state that was started once', async (t) => {
  const state = t.testdir()
  const said = await run(['ledger', 'key'], { env: { NARROWGATE_STATE: state } })
  t.equal(said.exit, 69)
  t.match(said.stderr, /there is none in .*\n.*start narrowgate serve once/)
})
