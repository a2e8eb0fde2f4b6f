#!/usr/bin/env node
// Checks a Narrowgate ledger without Narrowgate: one file, Node.js 20 or later, nothing but its own modules.
// docs/formats.md says what is checked, docs/ledger-verify.md how it is used.
import { createHash, createPublicKey, verify as verifySignature } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'

const USAGE = `usage:
  verify.mjs log <folder, or segments of one writer> [--key K] [--head HASH] [--checkpoint FILE] [--receipt FILE]
  verify.mjs inclusion <proof: file or URL> --key K
  verify.mjs consistency <kept checkpoint> <proof: file, or the owner's address> --key K
K is a verifier key or a file that holds it. NARROWGATE_OWNER_KEY is sent with URLs. --json prints JSON.
exit: 0 verified, 1 not, 2 wrong usage`

const ZEROS = '0'.repeat(64)
const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256'))

// ---- The chain: hash(n) = SHA-256(hash(n-1) as 32 bytes || the record's JSON) ----

const chained = (previous, json) => sha256(Buffer.from(previous, 'hex'), json).digest('hex')

/** Every line of a segment. `torn` has no line feed behind it; `fields` is undefined where the line is none. */
function readSegment(file) {
  const bytes = readFileSync(file)
  const lines = []
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(0x0a, start)
    const line = bytes.subarray(start, end === -1 ? bytes.length : end)
    lines.push({ file, offset: start, torn: end === -1, ...splitLine(line) })
    start += line.length + 1
  }
  return lines
}

function splitLine(line) {
  const claimed = line.toString('latin1', 0, 64)
  const json = line.subarray(65)
  const fields = line[64] === 0x20 && /^[0-9a-f]{64}$/.test(claimed) ? jsonOf(json) : undefined
  return { line, claimed, json, fields, n: fields?.n }
}

function jsonOf(text) {
  try {
    const value = JSON.parse(text.toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isHeader = ({ kind, n, first, prev } = {}) =>
  kind === 'segment' && n === 0 && typeof first === 'number' && typeof prev === 'string'

/** Reads a writer's segments one by one; true where everything is as the format has it. */
function isChain(files, whole) {
  let end = { n: 0, hash: whole ? ZEROS : undefined, writer: undefined }
  for (const file of files) {
    const lines = readSegment(file)
    if (lines.at(-1)?.torn && file === files.at(-1)) lines.pop()
    for (const [at, line] of lines.entries()) {
      end = line.torn ? undefined : at === 0 ? afterHeader(line, end) : afterRecord(line, end)
      if (end === undefined) return false
    }
  }
  return true
}

/** Where the chain stands behind a line; undefined where the line does not continue it. */
function afterHeader({ fields, claimed, json }, { n, hash, writer = fields?.writer }) {
  if (!isHeader(fields) || fields.writer !== writer) return undefined
  const { first, prev } = fields
  // What stood before a file that is given alone is believed.
  const isNext = hash === undefined || (first === n + 1 && prev === hash)
  return isNext && chained(prev, json) === claimed
    ? { n: first - 1, hash: claimed, writer }
    : undefined
}

function afterRecord({ fields, claimed, json }, { n, hash, writer }) {
  const fits = fields?.n === n + 1 && chained(hash, json) === claimed
  return fits ? { n: n + 1, hash: claimed, writer } : undefined
}

/** Names what was done to a chain that is not whole: all records together, compared by their numbers. Gives the last number. */
function explain(files, whole, fault) {
  const segments = files.map(readSegment)
  if (segments.at(-1)?.at(-1)?.torn) segments.at(-1).pop()
  const headers = segments.map(([line]) => line).filter((line) => isHeader(line?.fields))
  const { writer, first = 1 } = headers[0]?.fields ?? {}
  const start = whole ? 1 : first
  const read = readItems(segments, { start, writer, fault })
  const items = withoutIntruders(read, fault)
  const sorted = items.toSorted((a, b) => a.n - b.n)
  for (const [at, item] of sorted.entries()) {
    const before = sorted[at - 1]
    if (item.n !== (before?.n ?? start - 1) + 1) fault('dropped', item, item.n)
    judgeLink(item, before?.n === item.n - 1 ? before : undefined, fault)
  }
  for (const head of headers) judgeHeader(head, { sorted, whole, fault })
  judgeOrder(items, sorted, fault)
  return sorted.at(-1)?.n ?? start - 1
}

/** The records of all segments, in the order of the files, each with a number. */
function readItems(segments, { start, writer, fault }) {
  const read = []
  for (const [header, ...records] of segments) {
    if (header === undefined) continue
    const head = judgeHash(header, writer, fault)
    numberRecords(records, head?.fields.first ?? (read.at(-1)?.n ?? start - 1) + 1, fault)
    // What does not lead to a header that is none is believed.
    if (records[0] !== undefined) records[0].header = head ?? { bad: true }
    read.push(...records)
  }
  return read
}

/** The header of a segment, as far as it can be judged alone; undefined where the line is none. */
function judgeHash(header, writer, fault) {
  if (!isHeader(header.fields)) return fault('malformed', header, 0)
  header.computed = chained(header.fields.prev, header.json)
  if (header.computed !== header.claimed) fault('edited', header, 0)
  if (header.fields.writer !== writer) fault('inserted', header, 0)
  return header
}

/** Gives a number to lines that have none, and its own back to a record that the next one continues under another. */
function numberRecords(records, first, fault) {
  let due = first
  for (const [at, item] of records.entries()) {
    const next = records[at + 1]
    if (item.torn || typeof item.n !== 'number') {
      item.bad = true
      fault('malformed', item, (item.n = due))
    } else if (
      item.n !== due &&
      next?.n === due + 1 &&
      chained(item.claimed, next.json) === next.claimed
    ) {
      item.told = true
      fault('edited', item, (item.n = due))
    }
    due = item.n + 1
  }
}

/** Where records stand in another order than that of their numbers, up to where all that should have come has come. */
function judgeOrder(items, sorted, fault) {
  for (let at = 0; at < items.length; at += 1) {
    if (items[at].n === sorted[at].n) continue
    fault('reordered', items[at], sorted[at].n)
    let most = items[at].n
    while (most !== sorted[at].n) {
      at += 1
      most = Math.max(most, items[at].n)
    }
  }
}

/** Of several records with one number the one stays that the next continues; one that nothing leads to goes. */
function withoutIntruders(items, fault) {
  const byNumber = new Map()
  for (const item of items) byNumber.set(item.n, [...(byNumber.get(item.n) ?? []), item])
  const follows = (item, before) => chained(before.claimed, item.json) === item.claimed
  const gone = new Set()
  for (const [n, same] of byNumber) {
    if (same.length === 1) continue
    const [before, after] = [byNumber.get(n - 1) ?? [], byNumber.get(n + 1) ?? []]
    const links = (item) =>
      after.some((next) => follows(next, item)) + before.some((former) => follows(item, former))
    const genuine = same.reduce((best, item) => (links(item) > links(best) ? item : best))
    for (const item of same) if (item !== genuine) gone.add(item)
  }
  items.forEach((item, at) => {
    const due = (items[at - 1]?.n ?? 0) + 1
    if (item.n > due && items[at + 1]?.n === due && !byNumber.has(item.n - 1)) gone.add(item)
  })
  for (const item of gone) fault('inserted', item, item.n)
  return items.filter((item) => !gone.has(item))
}

/** A record continues the one before it, or the header of the segment that it begins. */
function judgeLink(item, before, fault) {
  const link = item.header ?? before
  if (link === undefined || link.bad || item.bad) return
  const hashes = [link.claimed, link.computed].filter((hash) => hash !== undefined)
  item.computed = chained(link.claimed, item.json)
  const fits = hashes.some((hash) => chained(hash, item.json) === item.claimed)
  if (!fits && !item.told) fault('edited', item, item.n)
}

function judgeHeader(head, { sorted, whole, fault }) {
  const { first, prev } = head.fields
  const before = sorted.find(({ n, bad }) => n === first - 1 && !bad)
  const fits =
    first === 1 ? !whole || prev === ZEROS : prev === before?.claimed || prev === before?.computed
  if (!fits && (first === 1 || before !== undefined)) fault('rewritten', head, 0)
}

// ---- The tree over the records' lines (RFC 6962, 2.1), and checkpoints (c2sp.org/tlog-checkpoint) ----

const leafHash = (line) => sha256(Buffer.of(0), line).digest()
const nodeHash = (left, right) => sha256(Buffer.of(1), left, right).digest()

/** Grows the tree; `roots` gets the root at each size that it has as a key. */
function growTree(roots) {
  const edge = []
  let size = 0
  const note = () => {
    const root = () =>
      edge.map(({ hash }) => hash).reduceRight((right, left) => nodeHash(left, right))
    if (roots.has(size)) roots.set(size, size === 0 ? sha256().digest() : root())
  }
  note()
  return (line) => {
    let node = { hash: leafHash(line), height: 0 }
    while (edge.at(-1)?.height === node.height)
      node = { hash: nodeHash(edge.pop().hash, node.hash), height: node.height + 1 }
    edge.push(node)
    size += 1
    note()
  }
}

const splitAt = (size) => 2 ** (Math.ceil(Math.log2(size)) - 1)
const hashesOf = (path) => path.map((hash) => Buffer.from(String(hash), 'base64'))

/** The root to which the audit path of leaf `at` leads in a tree of `size`. */
function rootOfInclusion(hash, at, size, path) {
  if (!(at >= 0 && at < size)) return undefined
  if (size === 1) return path.length === 0 ? hash : undefined
  const [left, beside] = [splitAt(size), path.at(-1)]
  const isLeft = at < left
  const inner = rootOfInclusion(
    hash,
    isLeft ? at : at - left,
    isLeft ? left : size - left,
    path.slice(0, -1),
  )
  if (inner === undefined || beside === undefined) return undefined
  return isLeft ? nodeHash(inner, beside) : nodeHash(beside, inner)
}

/** The two roots, of `former` leaves and of `size`, to which a consistency path leads; `whole` is the root of all of them where that is known. */
function rootsOfConsistency(former, size, path, whole) {
  if (former === size) {
    const root = whole ?? path[0]
    return root && path.length === (whole ? 0 : 1) ? [root, root] : undefined
  }
  const [left, beside] = [splitAt(size), path.at(-1)]
  if (beside === undefined) return undefined
  const rest = path.slice(0, -1)
  if (former <= left) {
    const [one, two] = rootsOfConsistency(former, left, rest, whole) ?? []
    return one && [one, nodeHash(two, beside)]
  }
  const [one, two] = rootsOfConsistency(former - left, size - left, rest, undefined) ?? []
  return one && [nodeHash(beside, one), nodeHash(beside, two)]
}

function isConsistent(older, newer, path) {
  if (older.size === 0) return path.length === 0
  const roots = rootsOfConsistency(older.size, newer.size, path, older.root)
  return roots !== undefined && roots[0].equals(older.root) && roots[1].equals(newer.root)
}

/** `<name>+<8 hex digits>+<base64 of 0x01 and an Ed25519 key>`, as it stands or in a file. */
function keyOf(text) {
  const line = (existsSync(text) ? readFileSync(text, 'utf8') : text).trim()
  const [, name, id, value] = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(line) ?? []
  const typed = Buffer.from(value ?? '', 'base64')
  const due = sha256(`${name}\n`, typed).digest('hex').slice(0, 8)
  if (typed.length !== 33 || typed[0] !== 1 || id !== due) usage(`${text} is no verifier key`)
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), typed.subarray(1)])
  return { name, id, key: createPublicKey({ key: der, format: 'der', type: 'spki' }) }
}

/** Origin, size and root of a signed note, and whether one of the keys signed it. */
function noteOf(note, keys) {
  const end = note.lastIndexOf('\n\n') + 1
  const text = note.slice(0, end)
  const [, origin, size, root] =
    /^(\S+)\n(0|[1-9]\d{0,15})\n([\w+/]{43}=)\n(?:.+\n)*$/.exec(text) ?? []
  if (root === undefined) return undefined
  const isSigned = note
    .slice(end + 1)
    .split('\n')
    .some((line) => {
      const [dash, name, value] = line.split(' ')
      const bytes = Buffer.from(value ?? '', 'base64')
      return keys.some(
        (key) =>
          dash === '\u2014' &&
          name === key.name &&
          bytes.toString('hex', 0, 4) === key.id &&
          verifySignature(null, Buffer.from(text), key.key, bytes.subarray(4)),
      )
    })
  return { origin, size: Number(size), root: Buffer.from(root, 'base64'), isSigned }
}

/** A file of notes with an empty line between them. */
function notesOf(file, keys) {
  if (!existsSync(file)) return []
  const parts = readFileSync(file, 'utf8').split('\n\n')
  return parts.flatMap((text, at) => {
    const signatures = at % 2 === 0 && at + 2 < parts.length ? parts[at + 1] : undefined
    return (signatures !== undefined && noteOf(`${text}\n\n${signatures}\n`, keys)) || []
  })
}

// ---- The commands ----

function writersIn(place) {
  if (!statSync(place).isDirectory()) return undefined
  const names = readdirSync(place).sort()
  const segments = names.filter((name) => name.endsWith('.ndlog')).map((name) => `${place}/${name}`)
  if (segments.length > 0) return [segments]
  const writers = names.filter((name) => name.startsWith('w_'))
  return writers.flatMap((name) => writersIn(`${place}/${name}`) ?? [])
}

/** A log against what is known of it from elsewhere. */
function verifyLog(places, { keys, heads, kept, receipts }, report) {
  const writers = writersIn(places[0])
  const wanted = { keys, kept, receipts, heads: new Set(heads), told: new Map() }
  // The gateway's own logs come first: they say of those that it took in from others how far they had come.
  const own = (writers ?? []).filter(hasNotes)
  const others = (writers ?? [places]).filter((files) => !own.includes(files))
  const logs = [...own, ...others].map((files) =>
    verifyWriter(files, writers !== undefined, wanted, report),
  )
  for (const [name, { file, n, isThere }] of wanted.told)
    if (!isThere) report({ kind: goneAs(logs, name, n), file, record: n })
  for (const one of kept) if (isTrusted(one.note, keys)) judgeKept(one, logs, report)
  for (const _ of wanted.heads) report({ kind: 'rewritten', file: places[0], record: 0 })
  for (const { file, held, first, outcome } of receipts)
    if (!saysTheSame(held, first, outcome))
      report({ kind: 'rewritten', file, record: first?.n ?? 0 })
  return logs
}

const folderOf = ([file]) => (file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : '.')
const hasNotes = (files) => existsSync(`${folderOf(files)}/checkpoints.txt`)

/** What became of a log that another one says had come so far. */
function goneAs(logs, name, n) {
  const log = logs.find((one) => one.name === name)
  return log === undefined ? 'dropped' : log.last < n ? 'truncated' : 'rewritten'
}

const isTrusted = (note, keys) => note.isSigned || keys.length === 0

/** A checkpoint that was kept, and the lines with it, against the log that it is of. */
function judgeKept({ file, note, lines }, logs, report) {
  const add = (kind, record) => report({ kind, file, record })
  const log = logs.find(({ name }) => note.origin.endsWith(`/${name}`))
  if (log === undefined) return add('rewritten', note.size)
  if (note.size > log.last) add('truncated', log.last + 1)
  else if (log.isWhole && !log.roots.get(note.size)?.equals(note.root))
    // With a signature of its own over what the other one contradicts, the signer says two things.
    add(log.signed >= note.size ? 'forked' : 'rewritten', note.size)
  for (const { n, line } of lines) if (log.lines.get(n) !== line) add('rewritten', n)
}

/** Whether a receipt says what the log's records say; one that was held while its exchange was open says nothing of the end. */
function saysTheSame(held, first, outcome = {}) {
  const logged = { ...first, ...outcome }
  // Where both records have an object under one name, the receipt has the members of both.
  for (const [name, value] of Object.entries(outcome))
    if (isObject(first[name]) && isObject(value)) logged[name] = { ...first[name], ...value }
  const own = [
    'seq',
    'kind',
    'n',
    'intent',
    'erased',
    ...(held.outcome === 'open' ? ['outcome'] : []),
  ]
  const names = Object.keys(held).filter((name) => !own.includes(name))
  return names.every((name) => isEqual(held[name], logged[name]))
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

function isEqual(a, b) {
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return a === b
  const names = Object.keys(a)
  const isAlike = Array.isArray(a) === Array.isArray(b) && names.length === Object.keys(b).length
  return isAlike && names.every((name) => Object.hasOwn(b, name) && isEqual(a[name], b[name]))
}

/** One writer's segments, with the checkpoints beside them. */
function verifyWriter(files, whole, wanted, report) {
  const folder = folderOf(files)
  const file = `${folder}/checkpoints.txt`
  const notes = whole ? notesOf(file, wanted.keys) : []
  const log = readLog(files, [...notes, ...wanted.kept.map(({ note }) => note)], wanted)
  log.name ??= folder.split('/').at(-1)
  log.isWhole = isChain(files, whole)
  const told = (kind, { file, offset }, record) => void report({ kind, file, record, offset })
  if (!log.isWhole) log.last = explain(files, whole, told)
  const add = (kind, record) => report({ kind, file, record })
  log.signed = whole ? judgeNotes(notes, log, wanted, add) : 0
  return log
}

/** Shows each line to whoever waits for it, and grows the tree over the records. */
function readLog(files, notes, { heads, kept, receipts, told }) {
  const isOwn = hasNotes(files)
  const log = { name: undefined, last: 0, records: 0, hash: '', torn: false, lines: new Map() }
  log.roots = new Map(notes.map(({ size }) => [size]))
  const grow = growTree(log.roots)
  const held = new Set(kept.flatMap(({ lines }) => lines.map(({ n }) => n)))
  for (const file of files)
    for (const [at, { torn, line, fields, claimed, n }] of readSegment(file).entries()) {
      if (torn) log.torn = file === files.at(-1)
      if (torn || fields === undefined) continue
      log.records += 1
      log.hash = claimed
      heads.delete(claimed)
      if (at === 0) log.name ??= fields.writer
      const due = told.get(log.name)
      if (due?.hash === claimed && due.n === (at === 0 ? fields.first - 1 : n)) due.isThere = true
      if (at === 0) continue
      log.last = n
      grow(line)
      if (held.has(n)) log.lines.set(n, line.toString())
      const { event, subject, data } = fields
      if (isOwn && event === 'ledger_ingested') told.set(subject, { file, ...data, isThere: false })
      for (const receipt of receipts) seeRecord(receipt, fields, log)
    }
  return log
}

/** Finds the records of a receipt: an intent and its outcome, or a refusal. */
function seeRecord(receipt, fields, log) {
  const { kind, id, intent } = fields
  if (id === receipt.held.id && (kind === 'intent' || kind === 'refusal') && !receipt.first)
    Object.assign(receipt, { first: fields, log })
  else if (kind === 'outcome' && receipt.log === log && intent === receipt.first.n)
    receipt.outcome ??= fields
}

/** A writer's own checkpoints against its log; of each kind of fault the first is told. Gives how many records they cover. */
function judgeNotes(notes, { name, last, isWhole, roots }, { keys, told }, add) {
  const isOwn = (note) => isTrusted(note, keys) && note.origin.endsWith(`/${name}`)
  const trusted = notes.filter(isOwn)
  const foreign = notes.find((note) => !isOwn(note))
  if (keys.length > 0 && foreign) add('resigned', foreign.size)
  else if (keys.length > 0 && !told.has(name) && trusted.length === 0 && last > 0)
    add('unsigned', 1)
  const said = new Map()
  const fork = trusted.find(({ size, root }) => {
    const other = said.get(size) ?? root
    said.set(size, root)
    return !other.equals(root)
  })
  if (fork) add('forked', fork.size)
  if (trusted.some(({ size }) => size > last)) add('truncated', last + 1)
  const fits = ({ size, root }) => roots.get(size)?.equals(root)
  const wrong = trusted.find((note) => note.size <= last && !fits(note))
  if (isWhole && !fork && wrong) add('rewritten', wrong.size)
  return trusted.filter(fits).reduce((most, { size }) => Math.max(most, size), 0)
}

/** What a client holds: a receipt, a signed note, or the answer of a proof's door, which has a note in it. */
function evidenceOf(file, text, keys) {
  const held = text.trimStart().startsWith('{') ? jsonOf(text) : undefined
  if (held?.checkpoint === undefined && held !== undefined) return { file, held }
  const note = noteOf(held?.checkpoint ?? `${text.trimEnd()}\n`, keys)
  return {
    file,
    note,
    from: held?.from,
    path: hashesOf(held?.path ?? []),
    lines: held?.records ?? [],
  }
}

/** Whether a note is signed with the key, and the lines with it lead to its root. */
function judgeEvidence({ file, note, lines }, keys, report) {
  if (note === undefined) return report({ kind: 'malformed', file, record: 0 })
  if (keys.length > 0 && !note.isSigned) report({ kind: 'resigned', file, record: note.size })
  for (const { n, line, path } of lines) {
    const root = rootOfInclusion(leafHash(Buffer.from(line)), n - 1, note.size, hashesOf(path))
    if (!root?.equals(note.root)) report({ kind: 'unproven', file, record: n })
  }
}

/** Whether the newer head, and the proof with it, go on from one that was kept. */
function judgeGrowth(kept, proof, report) {
  const add = (kind, record) => report({ kind, file: proof.file, record })
  if (kept.note.origin !== proof.note.origin) return add('rewritten', proof.note.size)
  if (proof.note.size < kept.note.size) return add('truncated', proof.note.size + 1)
  if (proof.from === kept.note.size && isConsistent(kept.note, proof.note, proof.path)) return
  // Of two heads of one size no proof is needed to see that they differ.
  const isFork = proof.note.size === kept.note.size && !proof.note.root.equals(kept.note.root)
  add(isFork ? 'forked' : 'unproven', proof.note.size)
}

async function textOf(place, path) {
  if (!/^https?:/.test(place)) return readFileSync(place, 'utf8')
  const { NARROWGATE_OWNER_KEY: key } = process.env
  const url = new URL(path ?? '', place)
  const answer = await fetch(url, { headers: key ? { authorization: `Bearer ${key}` } : {} })
  if (!answer.ok)
    throw new Error(`${url.pathname}: answered ${answer.status} ${await answer.text()}`)
  return answer.text()
}

function usage(why) {
  throw Object.assign(new Error(`${why}\n${USAGE}`), { exit: 2 })
}

function optionsOf(args) {
  const options = { places: [], key: [], head: [], checkpoint: [], receipt: [], json: false }
  for (let at = 0; at < args.length; at += 1) {
    const name = args[at].startsWith('--') ? args[at].slice(2) : undefined
    if (name === undefined) options.places.push(args[at])
    else if (name === 'json') options.json = true
    else if (!Array.isArray(options[name]) || name === 'places' || args[at + 1] === undefined)
      usage(`unknown or empty option ${args[at]}`)
    else options[name].push(args[(at += 1)])
  }
  return options
}

async function run([command, ...args], report) {
  const { places, key, head, checkpoint, receipt } = optionsOf(args)
  const keys = key.map(keyOf)
  const read = async (place, path) => evidenceOf(place, await textOf(place, path), keys)
  const judged = async (place, path) => {
    const proof = await read(place, path)
    judgeEvidence(proof, keys, report)
    return proof
  }
  const [first = usage('name what is to be verified'), second] = places
  if (command === 'log') {
    const held = await Promise.all([...checkpoint, ...receipt].map((file) => read(file)))
    const receipts = held.filter((one) => one.held !== undefined)
    const kept = held.filter((one) => one.held === undefined)
    for (const one of kept) judgeEvidence(one, keys, report)
    const known = {
      keys,
      heads: head,
      receipts,
      kept: kept.filter(({ note }) => note !== undefined),
    }
    return verifyLog(places, known, report)
  }
  if (keys.length === 0) usage('a proof is worth nothing without the key')
  if (command === 'inclusion') {
    const { lines } = await judged(first)
    if (lines.length === 0) report({ kind: 'unproven', file: first, record: 0 })
  } else if (command === 'consistency' && second !== undefined) {
    const kept = await judged(first)
    const proof = await judged(second, `/api/ledger/proof/consistency?from=${kept.note?.size}`)
    if (kept.note && proof.note) judgeGrowth(kept, proof, report)
  } else usage(`unknown command ${command}`)
  return []
}

const faults = []
try {
  const logs = await run(process.argv.slice(2), (fault) => faults.push(fault))
  const verdict = faults.length > 0 ? 'damaged' : logs.some(({ torn }) => torn) ? 'torn tail' : 'ok'
  if (process.argv.includes('--json')) {
    const heads = logs.map(({ name, last, hash, signed }) => ({
      writer: name,
      n: last,
      hash,
      signed,
    }))
    const records = logs.reduce((sum, log) => sum + log.records, 0)
    console.log(JSON.stringify({ verdict, records, heads, faults }))
  } else {
    for (const { kind, file, record, offset = 0 } of faults)
      console.log(`${kind}: ${file}, record ${record}, byte ${offset}`)
    for (const { name, last, hash, signed } of logs)
      console.log(
        `${name}: ${last} records, ${signed} of them in checkpoints that fit, head ${hash}`,
      )
    console.log(verdict)
  }
  process.exitCode = faults.length > 0 ? 1 : 0
} catch (error) {
  console.error(error.message)
  process.exitCode = error.exit ?? 1
}
