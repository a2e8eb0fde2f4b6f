import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import { HOST } from '../helpers/shapes.ts'
import { answerJson, bodyOf } from '../helpers/upstream.ts'
import type { Setup, TestGateway } from '../helpers/gateway.ts'

/** One way of a tool, as a door tells it. */
export interface WayText {
  readonly way: string
  readonly door: string
  readonly language: string
  readonly runs_with: string
  readonly text: string
  readonly definition?: object
  readonly unavailable?: string
  readonly set?: string
}

/** What an upstream saw of one call. */
export interface Seen {
  readonly call: string
  readonly type: string | undefined
  readonly trace: string | undefined
  readonly body: string
}

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** A folder in which texts are run as their readers would run them. */
export interface Desk {
  readonly folder: string
  readonly bin: string
  run(
    command: string,
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ): Promise<Ended>
  /** Writes a text into a file of its own. */
  file(name: string, text: string): string
}

const ROOT = join(import.meta.dirname, '../..')
const LONGEST = 60_000

/** A desk with the command line and the package in their places; it goes with the test. */
export function openDesk(t: Test): Desk {
  const folder = mkdtempSync(join(tmpdir(), 'narrowgate-ways-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(ROOT, join(folder, 'node_modules/narrowgate'))
  const main = join(ROOT, 'dist/cli/main.js')
  script(bin, 'narrowgate', `exec '${process.execPath}' '${main}' "$@"`)
  const env = {
    PATH: `${bin}:${dirname(process.execPath)}:${process.env['PATH']}`,
    HOME: folder,
    NODE_NO_WARNINGS: '1',
  }
  let files = 0
  return {
    folder,
    bin,
    file(name, text) {
      files += 1
      const path = join(folder, `${files}-${name}`)
      writeFileSync(path, text)
      return path
    },
    run: (command, args, more = {}) =>
      new Promise((resolve, reject) => {
        const child = spawn(command, args, {
          cwd: folder,
          env: { ...env, ...more },
          timeout: LONGEST,
        })
        const [out, err]: [Buffer[], Buffer[]] = [[], []]
        child.stdout.on('data', (piece: Buffer) => out.push(piece))
        child.stderr.on('data', (piece: Buffer) => err.push(piece))
        child.stdin.end()
        child.once('error', reject).once('close', (code) => {
          resolve({ code, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() })
        })
      }),
  }
}

/** A program of the desk. */
export function script(bin: string, name: string, text: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`)
  chmodSync(join(bin, name), 0o755)
}

/** Upstreams that write down what they saw. */
export function watched(rows: Setup['rows']): { readonly setup: Setup; readonly seen: Seen[] } {
  const seen: Seen[] = []
  const serve = async (req: IncomingMessage, res: ServerResponse) => {
    const { method, url, headers } = req
    const body = (await bodyOf(req)).toString()
    const trace = headers['x-trace'] as string | undefined
    seen.push({ call: `${method} ${url}`, type: headers['content-type'], trace, body })
    answerJson(res, { pong: '“é”\n\\' })
  }
  return { setup: { rows: rows!, serve }, seen }
}

/** The ways of a tool as the holder's door tells them. */
export async function waysFrom(
  { proxyPort }: Pick<TestGateway, 'proxyPort'>,
  token: string,
  tool: string,
  query: Readonly<Record<string, string>>,
): Promise<readonly WayText[]> {
  const search = new URLSearchParams(query)
  const url = `http://127.0.0.1:${proxyPort}/g/contracts/${tool}?${search.toString()}`
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  const contract = (await answer.json()) as { readonly ways?: readonly WayText[] }
  if (contract.ways === undefined) throw new Error(`${answer.status}: ${JSON.stringify(contract)}`)
  return contract.ways
}

/** Runs a text with the interpreter that its door names. */
export function runText(
  desk: Desk,
  { language, runs_with: runsWith, text }: WayText,
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  switch (language) {
    case 'shell':
      return desk.run('sh', [desk.file('way.sh', text)], env)
    case 'python':
      return desk.run('python3', [desk.file('way.py', text)], env)
    case 'javascript':
      return desk.run('node', [...NODE_FLAGS, desk.file('way.mjs', text)], env)
    default:
      return desk.run('curl', ['-sS', '-X', runsWith, text], env)
  }
}

/** Node 20 has WebSocket behind a flag. */
const NODE_FLAGS =
  Number(process.versions.node.split('.')[0]) < 22 ? ['--experimental-websocket'] : []

type Args = Readonly<Record<string, unknown>>

const arg = (place: string, type: string | undefined, more: object = {}) => ({
  in: place,
  ...(type && { type }),
  ...more,
})

/** Everything that texts trip over. */
const NASTY = `a'b"c\\d$HOME \`id\` !! %41 & <x> {y} *\n\ttab  end\\`

/** A tool, its arguments in the order of its row, and the row. */
export interface Sample {
  readonly tool: string
  readonly args: Args
  /** The arguments as they are written, where JavaScript would round them. */
  readonly json?: string
  readonly row?: object
}

export const SAMPLES: readonly Sample[] = [
  {
    tool: 'ITEM',
    args: { owner: 'nöde js', id: `7'"$x` },
    row: {
      method: 'GET',
      path: '/items/{owner}/{id}',
      args: { owner: arg('path', 'string'), id: arg('path', 'string') },
    },
  },
  {
    tool: 'SEARCH',
    args: { q: NASTY, page: 2, deep: true, ratio: 0.5 },
    row: {
      method: 'GET',
      path: '/search',
      args: {
        q: arg('query', 'string'),
        page: arg('query', 'integer'),
        deep: arg('query', 'boolean'),
        ratio: arg('query', 'number'),
      },
    },
  },
  {
    tool: 'MAKE',
    args: {
      title: `${NASTY} 😀 \u2028é`,
      count: -3,
      tags: ['a b', NASTY],
      meta: { 'k"y': [null, 1] },
    },
    row: {
      method: 'POST',
      path: '/items',
      args: {
        title: arg('body', 'string', { required: true }),
        count: arg('body', 'integer'),
        tags: arg('body', 'array'),
        meta: arg('body', 'object'),
      },
    },
  },
  {
    tool: 'TRACED',
    args: { 'x-trace': `o'b"j $1 \\n`, id: 'x' },
    row: {
      method: 'DELETE',
      path: '/traced/{id}',
      args: { 'x-trace': arg('header', 'string'), id: arg('path', 'string') },
    },
  },
  {
    tool: 'LISTED',
    args: { ids: ['1', 'two 2', ''], flag: false },
    row: {
      method: 'GET',
      path: '/listed',
      args: { ids: arg('query', 'array'), flag: arg('query', 'boolean') },
    },
  },
  { tool: 'NOTHING', args: {}, row: { method: 'GET', path: '/nothing' } },
  {
    tool: 'LARGE',
    args: {},
    json: '{"id":12345678901234567890,"name":"big"}',
    row: {
      method: 'POST',
      path: '/large',
      args: { id: arg('body', 'integer'), name: arg('body', 'string') },
    },
  },
  {
    tool: 'FLAGGED',
    args: { on: true, kind: 'blue' },
    row: {
      method: 'PUT',
      path: '/flagged',
      args: { on: arg('body', 'boolean'), kind: arg('body', 'string', { enum: ['red', 'blue'] }) },
    },
  },
  {
    tool: 'KIND',
    args: { kind: 'red & white', level: 3 },
    row: {
      method: 'GET',
      path: '/kind',
      args: {
        kind: arg('query', 'string', { enum: ['red & white', 'blue'] }),
        level: arg('query', 'integer', { enum: [1, 3] }),
      },
    },
  },
  {
    tool: 'FORMED',
    args: { name: 'a&b=c +é', n: 4 },
    row: {
      method: 'POST',
      path: '/formed',
      body: 'form',
      args: { name: arg('body', 'string'), n: arg('body', 'integer') },
    },
  },
  {
    tool: 'OPENED',
    args: { name: 'n', extra: 'more' },
    row: {
      method: 'PATCH',
      path: '/opened/{name}',
      body: 'open',
      args: { name: arg('path', 'string') },
    },
  },
  {
    tool: 'EMPTY_TEXT',
    args: { a: '', b: '..', c: '0', d: 'true' },
    row: {
      method: 'GET',
      path: '/texts',
      args: Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, arg('query', 'string')])),
    },
  },
  { tool: 'HTTP_GET', args: { url: `http://${HOST}/generic?a=%20b'c&d=$e` } },
]

/** The rows of the samples. */
export const ROWS = SAMPLES.flatMap(({ tool: name, row }) => {
  const { args = {}, ...rest } = (row ?? {}) as { readonly args?: object }
  return row === undefined ? [] : [{ name, ...rest, args: { properties: args } }]
})

/** The arguments of a sample as JSON. */
export function jsonOf({ args, json = JSON.stringify(args) }: Sample): string {
  return json
}
