import { filesBelow, textOf } from '../rules/tree.ts'

/** One command as a page shows it. */
export interface Shown {
  readonly page: string
  readonly line: string
}

/** The pages whose commands have to work. */
export const PAGES = [
  'README.md',
  'AGENTS.md',
  'bench/README.md',
  ...filesBelow('docs').filter((path) => path.endsWith('.md')),
]

const PROGRAMS =
  /^(narrowgate|npm|npx|node|curl|wget|docker|git|eval|export|python3|pip|sudo|openssl|kill|systemctl|cd) /

/** A block of code: its language, empty where none is named, and its lines without their indentation. */
export interface Block {
  readonly language: string
  readonly lines: readonly string[]
}

/** The blocks of a page, fenced and indented ones. */
export function blocksOf(page: string): readonly Block[] {
  const text = textOf(page)
  const fenced = [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', body = '']) => ({ language, lines: body.split('\n') }),
  )
  const rest = text.replaceAll(/^```[\s\S]*?^```$/gm, '')
  const indented = [...rest.matchAll(/(?:^ {4}.*\n|^\n(?= {4}))+/gm)].map(([body]) => ({
    language: '',
    lines: body.split('\n').map((line) => line.slice(4)),
  }))
  return [...fenced, ...indented]
}

/** What stands in a block as a command: without the remark behind it. */
function inBlocks(page: string): readonly string[] {
  const lines = blocksOf(page).flatMap((block) => block.lines)
  return lines
    .map((line) => line.replace(/\s+# .*$/, '').trim())
    .filter((line) => PROGRAMS.test(line))
}

/** A command within a sentence. One that only names a verb stands for the verb’s help. */
function inSentences(page: string): readonly string[] {
  const spans = [...textOf(page).matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)].map(([, span = '']) => span)
  const named = /^narrowgate( [a-z]+)+$/
  return spans
    .filter((span) => PROGRAMS.test(span))
    .map((span) => (named.test(span) ? `${span} --help` : span))
}

/** Every command of every page. */
export function shownCommands(): readonly Shown[] {
  return PAGES.flatMap((page) =>
    [...new Set([...inBlocks(page), ...inSentences(page)])].map((line) => ({ page, line })),
  )
}
