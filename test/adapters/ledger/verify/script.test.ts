import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { default as t, type Test } from 'tap'
import { printCheckpoint } from '../../../../adapters/ledger/checkpoint/text.ts'
import { leavesOf } from '../checkpoint/_stranger.ts'
import { path, proof, treeHash } from '../tree/_reference.ts'
import { askScript, makeCorpus, OWNER, runScript, SCRIPT, STRANGER, type Corpus } from './_rig.ts'

t.test('it needs nothing but node’s own', async (t) => {
  const imports = [...readFileSync(SCRIPT, 'utf8').matchAll(/from '([^']+)'|import\('([^']+)'/g)]
  t.same(
    imports.map(([, name]) => name),
    ['node:crypto', 'node:fs'],
  )
})

interface Case {
  readonly verdict: string
  readonly head?: string
  readonly record?: number
}

t.test('the published segments', async (t) => {
  const folder = fileURLToPath(new URL('../../../vectors/segment/', import.meta.url))
  const vectors = JSON.parse(readFileSync(join(folder, 'segment.json'), 'utf8')) as {
    readonly hashes: readonly string[]
    readonly cases: Readonly<Record<string, Case>>
  }
  for (const [name, wanted] of Object.entries(vectors.cases)) {
    const judge = (...args: readonly string[]) => {
      const { status, stdout } = runScript(['log', name, '--json', ...args], folder)
      return { status, ...JSON.parse(stdout) }
    }
    const alone = judge()
    const isAlone = wanted.verdict.startsWith('ok alone')
    t.equal(alone.verdict, isAlone ? 'ok' : wanted.verdict, name)
    t.equal(alone.status, wanted.verdict === 'damaged' ? 1 : 0, name)
    if (wanted.head !== undefined) t.equal(alone.heads[0].hash, wanted.head, name)
    if (wanted.record !== undefined && !isAlone)
      t.match(alone.faults, [{ record: wanted.record }], name)
    const known = judge('--head', vectors.hashes.at(-1) ?? '')
    t.equal(known.status, wanted.verdict === 'ok' || name.startsWith('swapped') ? known.status : 1)
    if (isAlone) t.match(known.faults, [{ kind: 'rewritten' }])
  }
})

t.test('it speaks to people too, and says how it is used', async (t) => {
  const { folder, ledger, writer } = await makeCorpus(t)
  const good = runScript(['log', ledger, '--key', 'key.vkey'], folder)
  t.equal(good.status, 0)
  t.match(good.stdout, new RegExp(`^${writer}: \\d+ records, \\d+ of them in checkpoints that fit`))
  t.match(good.stdout, /\nok\n$/)
  const bad = runScript(['log', ledger, '--head', 'ab'.repeat(32)], folder)
  t.equal(bad.status, 1)
  t.match(bad.stdout, /^rewritten: .*\n.*\ndamaged\n$/s)
  for (const args of [
    [],
    ['log'],
    ['log', ledger, '--keys', 'x'],
    ['log', ledger, '--key', 'x'],
    ['other', ledger, '--key', 'key.vkey'],
    ['inclusion', 'proof.json'],
    ['consistency', 'kept.txt', '--key', 'key.vkey'],
  ]) {
    const wrong = runScript(args, folder)
    t.equal(wrong.status, 2, args.join(' '))
    t.match(wrong.stderr, /usage:\n/)
  }
})

/** A server that answers proofs of these leaves, signed by this signer, changed before they go out. */
async function serve(
  t: Test,
  {
    leaves,
    origin,
    signer = OWNER,
  }: { leaves: readonly Buffer[]; origin: string; signer?: typeof OWNER },
  change: (answer: Record<string, unknown>) => void = () => undefined,
): Promise<string> {
  const noteAt = (size: number) =>
    signer.sign(printCheckpoint({ origin, size, root: treeHash(leaves.slice(0, size)) }))
  const base64 = (hashes: readonly Buffer[]) => hashes.map((hash) => hash.toString('base64'))
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://x')
    const size = leaves.length
    const from = Number(url.searchParams.get('from'))
    const line = String(leaves[4])
    const answer: Record<string, unknown> = url.pathname.endsWith('/inclusion')
      ? {
          receipt: 'x',
          checkpoint: noteAt(size),
          records: [{ n: 5, line, path: base64(path(4, leaves)) }],
        }
      : {
          from,
          to: size,
          path: base64(from > size ? [] : proof(from, leaves)),
          checkpoint: noteAt(size),
        }
    change(answer)
    const isOwner = request.headers.authorization === 'Bearer the-owner-key'
    response.writeHead(isOwner ? 200 : 401).end(JSON.stringify(answer))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()))
  t.teardown(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

t.test('proofs of a server, honest or not', async (t) => {
  const corpus: Corpus = await makeCorpus(t)
  const leaves = leavesOf(corpus.ledger, corpus.writer)
  const origin = `log.example/${corpus.writer}`
  const kept = readFileSync(join(corpus.folder, 'kept.txt'), 'utf8')
  const size = Number(kept.split('\n')[1])
  const others = leaves.map((leaf, at) => (at === 2 ? Buffer.from('another') : leaf))
  const judge = async (command: 'inclusion' | 'consistency', server: string) => {
    const place = command === 'inclusion' ? `${server}/api/ledger/proof/inclusion` : server
    const given = command === 'inclusion' ? [place] : ['kept.txt', place]
    const args = [command, ...given, '--key', 'key.vkey', '--json']
    const { status, stdout, stderr } = await askScript(args, corpus.folder)
    if (stdout === '') return { status, faults: stderr }
    const { faults } = JSON.parse(stdout) as { faults: { kind: string }[] }
    return { status, faults: faults.map(({ kind }) => kind) }
  }
  const ok = { status: 0, faults: [] }
  const caught = (...faults: readonly string[]) => ({ status: 1, faults })

  t.test('an honest one', async (t) => {
    const server = await serve(t, { leaves, origin })
    t.same(await judge('inclusion', server), ok)
    t.same(await judge('consistency', server), ok)
    const same = await serve(t, { leaves: leaves.slice(0, size), origin })
    t.same(await judge('consistency', same), ok, 'of the size that was kept')
  })
  t.test('one that rewrote its log and signs that', async (t) => {
    const server = await serve(t, { leaves: others, origin })
    t.same(await judge('consistency', server), caught('unproven'))
    const same = await serve(t, { leaves: others.slice(0, size), origin })
    t.same(await judge('consistency', same), caught('forked'))
  })
  t.test('one that cut its log', async (t) => {
    const server = await serve(t, { leaves: leaves.slice(0, 3), origin })
    t.same(await judge('consistency', server), caught('truncated'))
  })
  t.test('one that signs with another key', async (t) => {
    const server = await serve(t, { leaves, origin, signer: STRANGER })
    t.same(await judge('consistency', server), caught('resigned'))
    t.same(await judge('inclusion', server), caught('resigned'))
  })
  t.test('one that shows another log', async (t) => {
    const server = await serve(t, { leaves, origin: `${origin}x` })
    t.same(await judge('consistency', server), caught('rewritten'))
  })
  t.test('one whose proof is of something else', async (t) => {
    for (const change of [
      (answer: Record<string, unknown>) => (answer['path'] = []),
      (answer: Record<string, unknown>) => (answer['from'] = size - 1),
      (answer: Record<string, unknown>) => (answer['path'] as string[]).reverse(),
      (answer: Record<string, unknown>) => (answer['path'] as string[]).push('AAAA'),
    ])
      t.same(
        await judge('consistency', await serve(t, { leaves, origin }, change)),
        caught('unproven'),
      )
    type Records = { n: number; line: string; path: string[] }[]
    for (const change of [
      (answer: Record<string, unknown>) => (answer['records'] = []),
      (answer: Record<string, unknown>) => ((answer['records'] as Records)[0]!.n = 6),
      (answer: Record<string, unknown>) => ((answer['records'] as Records)[0]!.line += ' '),
      (answer: Record<string, unknown>) => (answer['records'] as Records)[0]!.path.pop(),
      (answer: Record<string, unknown>) => ((answer['records'] as Records)[0]!.path[0] = 'AAAA'),
    ])
      t.same(
        await judge('inclusion', await serve(t, { leaves, origin }, change)),
        caught('unproven'),
      )
  })
  t.test('one whose checkpoint is none, or which answers nothing', async (t) => {
    const server = await serve(t, { leaves, origin }, (answer) => (answer['checkpoint'] = 'none'))
    t.same(await judge('consistency', server), caught('malformed'))
    t.match(await judge('inclusion', 'http://127.0.0.1:1'), { status: 1, faults: /./ })
  })
})
