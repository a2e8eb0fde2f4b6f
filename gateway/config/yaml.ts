import { LineCounter, parseDocument } from 'yaml'
import type { Problem } from './types.ts'

export type ReadYaml =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: readonly Problem[] }

const REPAIRS: Readonly<Record<string, string>> = {
  BAD_ALIAS: 'define the anchor before its alias',
  DUPLICATE_KEY: 'keep one of the keys',
  MULTIPLE_DOCS: 'keep one document in the file',
  TAB_AS_INDENT: 'indent with spaces',
  TAG_RESOLVE_FAILED: 'remove the tag',
}

/**
 * Reads YAML with line and column for what is wrong. The parser's own texts are not used, since they
 * quote the source, in which a secret may stand.
 */
export function readYaml(text: string): ReadYaml {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const faults = [...document.errors, ...document.warnings]
  if (faults.length > 0) {
    return {
      ok: false,
      problems: faults.map((fault) => toProblem(fault.code, fault.pos[0], lines)),
    }
  }
  try {
    return { ok: true, value: document.toJS() ?? {} }
  } catch {
    // The one thing that is found only here: aliases that expand without bounds, or point nowhere.
    const problem = {
      path: 'the file',
      got: 'aliases that cannot be resolved',
      repair: 'write the values out',
    }
    return { ok: false, problems: [problem] }
  }
}

function toProblem(code: string, offset: number, lines: LineCounter): Problem {
  const { line, col } = lines.linePos(offset)
  return {
    path: `line ${line}, column ${col}`,
    got: `broken YAML (${code.toLowerCase().replaceAll('_', ' ')})`,
    repair: REPAIRS[code] ?? 'correct the YAML there',
  }
}
