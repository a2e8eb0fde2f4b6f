import { spawnSync } from 'node:child_process'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import t from 'tap'
import type { Test } from 'tap'
import { callOfText, writtenJson } from '../../../catalog/index.ts'
import { quotedLiteral } from '../../../catalog/ways/quote/escaped.ts'
import { lineValue } from '../../../catalog/ways/quote/line.ts'
import { shellWord } from '../../../catalog/ways/quote/shell.ts'
import { tagValue } from '../../../catalog/ways/quote/tag.ts'
import { encoded } from '../../../catalog/written-text.ts'

// What is quoted comes back as it was, from the program or parser that reads it. Some five seconds.

/** Signs that mean something somewhere, lines ends of every kind, and what lies outside of the basic plane. */
const SIGNS = [
  ...`'"\\$!\`%&<>={}[]()*?~#;|^@:,/+- \n\r\t\v\f`.split(''),
  '\u0001',
  '\u007f',
  '\u0085',
  '\u2028',
  '\u2029',
  '\ufeff',
  'é',
  '😀',
  'end',
  '&#10;',
  '%0A',
  '\\u0041',
]

const text = fc.oneof(
  fc.string({ unit: fc.constantFrom(...SIGNS) }),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
)
const many = fc.array(text, { minLength: 150, maxLength: 250, size: 'max' })

/** What a program printed. */
function printed(command: string, args: readonly string[], input = ''): string {
  const { stdout, stderr, status } = spawnSync(command, args, { input, maxBuffer: 2 ** 26 })
  if (status !== 0) throw new Error(`${command}: ${stderr.toString().slice(0, 400)}`)
  return stdout.toString()
}

/** Holds a quoting against a reader of many texts at once. */
function holds(
  t: Test,
  quoted: fc.Arbitrary<string[]>,
  read: (texts: string[]) => unknown[],
): void {
  const property = fc.property(quoted, (texts) => {
    t.strictSame(read(texts), texts)
  })
  fc.assert(property, { numRuns: 4, endOnFailure: true })
}

const whole = many.map((texts) => texts.map((one) => one.replaceAll('\0', '')))

for (const shell of ['sh', 'bash'])
  t.test(`words of ${shell}`, async (t) => {
    holds(t, whole, (texts) => {
      const script = `printf '%s\\0' ${texts.map(shellWord).join(' ')}`
      return printed(shell, ['-s'], script).split('\0').slice(0, -1)
    })
  })

t.test('literals of JavaScript', async (t) => {
  holds(t, many, (texts) => texts.map((one) => runInNewContext(quotedLiteral(one)) as unknown))
})

t.test('literals of Python', async (t) => {
  holds(t, many, (texts) => {
    const list = `[${texts.map(quotedLiteral).join(', ')}]`
    return JSON.parse(
      printed('python3', ['-'], `import json\nprint(json.dumps(${list}))\n`),
    ) as string[]
  })
})

t.test('values of a line', async (t) => {
  holds(t, many, (texts) => texts.map((one) => valueIn(`NAME a=${lineValue(one)} b="c"`)))
})

t.test('values of a tag', async (t) => {
  holds(t, many, (texts) => texts.map((one) => valueIn(`x <call tool="NAME" a=${tagValue(one)}/>`)))
})

t.test('a tag is XML, for what XML can hold', async (t) => {
  const unheard = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
  const xml = many.map((texts) => texts.map((one) => one.replaceAll(unheard, '')))
  holds(t, xml, (texts) => {
    const all = texts.map((one) => `<call a=${tagValue(one)}/>`).join('')
    const program = [
      'import json, sys, xml.etree.ElementTree as tree',
      'root = tree.fromstring(sys.stdin.buffer.read())',
      'print(json.dumps([one.get("a") for one in root]))',
    ].join('\n')
    return JSON.parse(printed('python3', ['-c', program], `<all>${all}</all>`)) as string[]
  })
})

t.test('names and values of a query', async (t) => {
  holds(t, many, (texts) => {
    const url = new URL(`http://gate.test/?${texts.map((one) => `a=${encoded(one)}`).join('&')}`)
    return url.searchParams.getAll('a')
  })
  holds(t, many, (texts) => {
    const program = [
      'import json, sys, urllib.parse as parse',
      'print(json.dumps([parse.unquote(one) for one in json.load(sys.stdin)]))',
    ].join('\n')
    const quoted = JSON.stringify(texts.map(encoded))
    return JSON.parse(printed('python3', ['-c', program], quoted)) as string[]
  })
})

t.test('JSON', async (t) => {
  holds(t, many, (texts) => JSON.parse(writtenJson(texts)) as string[])
})

function valueIn(call: string): unknown {
  const read = callOfText(call)
  return 'fault' in read ? read.fault : read.texts['a']
}
