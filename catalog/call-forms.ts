import { createReport, isMembers, members, type Members } from './check.ts'
import { parseEnvelope, type ParsedEnvelope } from './envelope.ts'
import { parseJsonBody } from './json-body.ts'
import { utf8 } from './text.ts'

/**
 * Reads the JSON forms in which a call of a row is posted: the envelope itself, `{tool, args}` with what is wanted beside, and
 * a function call as models write it, `{name, arguments}`, whose arguments may be JSON text.
 */
export function envelopeOfForm(form: unknown): ParsedEnvelope {
  if (!isMembers(form)) return malformed('', form, FORMS)
  if ('target' in form) return parseEnvelope(form)
  if ('tool' in form) return ofTool(form)
  if ('name' in form) return ofFunction(form)
  return malformed('', form, FORMS)
}

const FORMS = 'write `{"tool": …, "args": {…}}`, or an envelope with `target` and `op`'

function ofTool({ tool, ...rest }: Members): ParsedEnvelope {
  if ('op' in rest) return malformed('op', rest['op'], 'leave it out: a tool is called')
  const read = parseEnvelope({ target: tool, op: 'call', ...rest })
  return named(read, 'tool')
}

/** Members that SDKs send along, and that say nothing about the call. */
const PASSED_OVER = ['type', 'id', 'call_id', 'status'] as const

function ofFunction(form: Members): ParsedEnvelope {
  const { name, arguments: given = {} } = form
  const report = createReport()
  const anything = () => {}
  const known = ['name', 'arguments', ...PASSED_OVER].map((member) => [member, anything] as const)
  members(Object.fromEntries(known))(form, '', report)
  if (report.problems.length > 0) return { ok: false, problems: report.problems }
  const args = typeof given === 'string' ? argumentsOf(given) : given
  if (args === undefined) return malformed('arguments', given, 'write JSON, each member once')
  return named(parseEnvelope({ target: name, op: 'call', args }), 'name')
}

/** The empty text is what some models write for no arguments. */
function argumentsOf(text: string): unknown {
  if (text.trim() === '') return {}
  const read = parseJsonBody(utf8(text))
  return read.ok ? read.value : undefined
}

/** Problems of the target by the name that the form has for it. */
function named(read: ParsedEnvelope, name: string): ParsedEnvelope {
  if (read.ok) return read
  const problems = read.problems.map((problem) =>
    problem.path === 'target' ? { ...problem, path: name } : problem,
  )
  return { ok: false, problems }
}

function malformed(path: string, got: unknown, repair: string): ParsedEnvelope {
  const report = createReport()
  report.malformed(path, got, repair)
  return { ok: false, problems: report.problems }
}
