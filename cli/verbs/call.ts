import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseJsonBody, parseWant } from '../../catalog/index.ts'
import { postToHolder, type HolderAnswer } from '../holder-door.ts'
import { EXIT, Fault } from '../exit.ts'
import { pairsOf } from '../pairs.ts'
import { printable } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { defineVerb } from '../verb.ts'

const DEFAULT_URL = 'http://127.0.0.1:3128'

/** Calls a tool by its name at a running gateway. Exit 1 where the gateway or the upstream says no. */
export const call = defineVerb({
  positionals: {
    tool: { type: 'string', demandOption: true, describe: 'name of the tool' },
    args: { type: 'string', array: true, describe: 'its arguments: key=value' },
  },
  options: {
    json: {
      type: 'string',
      requiresArg: true,
      describe: 'the arguments as a JSON object, in the place of key=value',
    },
    want: {
      type: 'string',
      requiresArg: true,
      describe: 'what of the answer comes back: paths, or where, select, order, page, want as JSON',
    },
    'token-file': {
      type: 'string',
      requiresArg: true,
      describe: 'file with the token; NARROWGATE_TOKEN without it',
    },
  },
  examples: [
    ['HTTP_GET url=https://api.github.com/zen', 'at NARROWGATE_GATEWAY, with NARROWGATE_TOKEN'],
    [
      `GITHUB_ISSUES_LIST_FOR_REPO --json '{"owner":"nodejs","repo":"node"}' --want number,title`,
      'two fields of each issue',
    ],
  ],
  async run(values, terminal) {
    const { tool, args = [], json, want } = values
    if (json !== undefined && args.length > 0)
      throw new Fault(EXIT.usage, 'json: got arguments besides', 'write them all in one of the two')
    const body = json === undefined ? lineOf(tool, args) : jsonCall(tool, json)
    const url = terminal.env['NARROWGATE_GATEWAY'] || DEFAULT_URL
    const token = await tokenOf(values['token-file'], terminal)
    const headers = want === undefined ? {} : { want: wantOf(want) }
    const answer = await postToHolder({ url, token }, { path: '/g/run', body, headers })
    return print(answer, terminal)
  },
})

/** Texts, which the row turns into what they are. */
function lineOf(tool: string, args: readonly string[]): string {
  const pairs = pairsOf(args).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
  return `${tool}${pairs.join('')}`
}

/** The text goes as it is written, so that no number of it is rounded. */
function jsonCall(tool: string, json: string): string {
  const read = parseJsonBody(Buffer.from(json))
  if (read.ok && json.trim().startsWith('{'))
    return `{"tool":${JSON.stringify(tool)},"args":${json}}`
  const got = read.ok ? 'JSON that is no object' : read.reason
  throw new Fault(EXIT.usage, `json: got ${got}`, 'write an object: \'{"owner":"nodejs"}\'')
}

/** As the field has it: JSON, in ASCII. */
function wantOf(text: string): string {
  const read = parseWant(text)
  if (!read.ok) {
    const lines = read.problems.map(({ path, got, repair }) => `${path}: got ${got}; ${repair}`)
    throw new Fault(EXIT.usage, ['want: it cannot be asked for', ...lines].join('\n  '))
  }
  return JSON.stringify(read.want).replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

async function tokenOf(file: string | undefined, { env, cwd }: Terminal): Promise<string> {
  const text = file === undefined ? env['NARROWGATE_TOKEN'] : await textOf(resolve(cwd, file))
  const token = text?.trim() ?? ''
  if (/^[\w.~-]+$/.test(token)) return token
  const got = token === '' ? 'none' : 'a text that is no token'
  throw new Fault(EXIT.usage, `token: got ${got}`, 'set NARROWGATE_TOKEN, or name --token-file')
}

async function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Fault(EXIT.usage, `token-file: got \`${path}\`: ${error.code}`, 'name another file')
  })
}

interface Problem {
  readonly error?: string
  readonly reasons?: readonly {
    readonly axis: string
    readonly caveat?: string
    readonly got: string
    readonly repair: string
  }[]
}

async function print(answer: HolderAnswer, { out, err }: Terminal): Promise<number> {
  const { status, receipt, refused, body } = answer
  if (refused === undefined) for await (const piece of body) await out.pour(piece as Buffer)
  else {
    err.line(`${err.bad('refused')} ${printable(refused)} (${status})`)
    for (const line of reasonsIn(await documentIn(body))) err.line(`  ${printable(line)}`)
  }
  if (refused === undefined && status >= 400) err.line(`status ${status}`)
  if (receipt !== undefined) err.line(`receipt ${printable(receipt)}`)
  return refused === undefined && status < 400 ? EXIT.ok : EXIT.no
}

async function documentIn(body: HolderAnswer['body']): Promise<Problem> {
  const pieces: Buffer[] = []
  for await (const piece of body) pieces.push(piece as Buffer)
  return JSON.parse(Buffer.concat(pieces).toString()) as Problem
}

function reasonsIn({ reasons = [] }: Problem): readonly string[] {
  return reasons.map(({ axis, caveat = axis, got, repair }) => `${caveat}: got ${got}; ${repair}`)
}
