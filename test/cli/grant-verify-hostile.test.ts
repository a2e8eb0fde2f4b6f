import { randomBytes } from 'node:crypto'
import t from 'tap'
import { narrowgate } from './process.ts'
import { readVectors } from './vectors.ts'

const good = readVectors().find(({ expect }) => expect === 'accept')
if (good === undefined) throw new Error('the vectors hold no good token')
const quoted = JSON.stringify(good.token)

/** What a line holds, and whether the token in it is good. */
const LINES: readonly (readonly [name: string, line: Buffer, accept: boolean])[] = [
  ['an empty line', Buffer.alloc(0), false],
  ['a token without quotes', Buffer.from(String(good.token)), false],
  ['a number', Buffer.from('7'), false],
  ['null', Buffer.from('null'), false],
  ['a list', Buffer.from(`[${quoted}]`), false],
  ['two strings', Buffer.from(`${quoted} ${quoted}`), false],
  ['a byte order mark', Buffer.from(`\uFEFF${quoted}`), false],
  [
    'bytes that are no UTF-8',
    Buffer.concat([Buffer.from('"g1.'), Buffer.from([0xff, 0xfe, 0x80]), Buffer.from('"')]),
    false,
  ],
  ['binary junk', Buffer.from(randomBytes(4096).map((byte) => (byte === 0x0a ? 0 : byte))), false],
  ['NUL in the string', Buffer.from('"g1.\\u0000"'), false],
  ['a lone surrogate', Buffer.from('"\\ud800"'), false],
  ['one MB in one string', Buffer.from(`"g1.${'A'.repeat(1024 * 1024)}"`), false],
  ['one MB of brackets', Buffer.from('['.repeat(1024 * 1024)), false],
  ['a raw line separator inside the string', Buffer.from('"g1.\u2028"'), false],
  ['a carriage return before the end of the line', Buffer.from(`${quoted}\r`), true],
  ['white space around the string', Buffer.from(`  ${quoted}\t`), true],
  ['a line end inside the token', Buffer.from(JSON.stringify(`${String(good.token)}\n`)), false],
]

t.test('grant verify answers every hostile line, in order, and goes on', async (t) => {
  const input = Buffer.concat(LINES.flatMap(([, line]) => [line, Buffer.from('\n')]))
  const ran = await narrowgate(['grant', 'verify', '--stdin'], {
    input: Buffer.concat([input, Buffer.from(quoted)]),
    env: { NARROWGATE_BUILD_KEY: good.build_key },
  })
  t.equal(ran.exit, 0)
  t.equal(ran.stderr, '')
  const answers = ran.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  t.equal(answers.length, LINES.length + 1, 'one answer per line, the last line without its LF too')
  for (const [index, [name, , accept]] of LINES.entries()) {
    const { verdict, stage } = answers[index]
    t.equal(verdict, accept ? 'accept' : 'refuse', name)
    if (!accept) t.equal(stage, 'format', `${name}: stage`)
  }
  t.equal(answers.at(-1).verdict, 'accept', 'a good token after all of that')
})
