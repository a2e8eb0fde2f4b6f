import { readGuardrails, type CedarReader } from '../../../policy/index.ts'
import type { ConfigFiles } from '../files.ts'
import { showGot } from '../got.ts'
import type { RawConfig } from '../raw.ts'
import type { Report } from '../report.ts'
import type { GuardrailsConfig } from '../types.ts'

interface Context {
  readonly files: ConfigFiles
  readonly report: Report
  readonly loadCedar: (() => CedarReader) | undefined
}

/** The guardrails of all files, validated against their published schema. */
export function buildGuardrails(
  raw: RawConfig['guardrails'] | undefined,
  { files, report, loadCedar }: Context,
): GuardrailsConfig {
  const sources = report.items('guardrails.files', raw?.files, (path, at) => {
    const read = files.read(path)
    if ('text' in read) return { file: path, text: read.text }
    report.add(at, `${showGot(path)} (${read.why})`, 'name a file of guardrails that can be read')
    return undefined
  })
  const mode = raw?.mode ?? 'enforce'
  if (sources.length === 0) return { mode, guardrails: [] }
  const { guardrails, problems } = readGuardrails(sources, loadCedar?.())
  report.include(problems)
  return { mode, guardrails }
}
