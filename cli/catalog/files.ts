import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readFile, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseCatalogYaml, type Tool } from '../../catalog/index.ts'
import { EXIT, Fault } from '../exit.ts'

/** Is told how much of a piece of work is done. */
type OnPart = (done: number, of: number) => void

/**
 * The text of a document.
 * @throws Fault where it cannot be read
 */
export async function readSource(file: string, onPart: OnPart): Promise<string> {
  try {
    const { size } = await stat(file)
    const pieces: Buffer[] = []
    let read = 0
    for await (const piece of createReadStream(file, { highWaterMark: 1024 * 1024 })) {
      pieces.push(piece as Buffer)
      read += (piece as Buffer).length
      onPart(read, size)
    }
    return Buffer.concat(pieces).toString()
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw new Fault(EXIT.no, `${file}: it cannot be read (${code})`, 'name a file that is there')
  }
}

/**
 * The rows that a catalog file has now; none where there is no such file.
 * @throws Fault for a file that is something else
 */
export async function rowsIn(file: string): Promise<readonly Tool[]> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return []
  const { tools, problems } = parseCatalogYaml(text, file)
  const [problem] = problems
  if (problem === undefined) return tools
  throw new Fault(
    EXIT.no,
    `${problem.path}: ${problem.got}`,
    'name a catalog file with --out, or one that is not there yet',
  )
}

/** Writes a row a line, so that a change of the document is a change of few lines; piece by piece, so that it is never in memory whole. */
export async function writeRows(
  file: string,
  tools: readonly Tool[],
  onPart: OnPart,
): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await pipeline(Readable.from(linesOf(tools, onPart)), createWriteStream(`${file}.new`))
  await rename(`${file}.new`, file)
}

/** Rows that are written as one piece. */
const ROWS = 100

function* linesOf(tools: readonly Tool[], onPart: OnPart): Generator<string> {
  yield '{"tools":[\n'
  for (let at = 0; at < tools.length; at += ROWS) {
    const lines = tools.slice(at, at + ROWS).map((tool) => JSON.stringify(tool))
    yield `${at === 0 ? '' : ',\n'}${lines.join(',\n')}`
    onPart(at, tools.length)
  }
  yield '\n]}\n'
}
