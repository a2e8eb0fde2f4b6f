import { join } from 'node:path'
import type { Offline } from '../gateway/offline.ts'
import { createTrustFiles } from './bundle.ts'
import { createEnvironment } from './environment.ts'
import { issueGrant, type Issued } from './issue.ts'
import { pathBearingRows } from './rows.ts'
import { grantLines, runTemplate, type GrantRequest, type TemplateAxis } from './template.ts'

/** What a run is asked for. */
export interface RunRequest {
  readonly asked: GrantRequest
  readonly without: readonly TemplateAxis[]
  /** Who asks, for the record of the grant. */
  readonly by: string
}

/** The grant of one run. */
export interface RunGrant extends Issued {
  readonly lines: readonly string[]
  /** Lines that nobody asked for. */
  readonly defaulted: readonly string[]
  readonly task: string | undefined
}

/** Mints the token of a run from the run template. */
export async function grantRun(
  place: Offline,
  { asked, without, by }: RunRequest,
): Promise<RunGrant> {
  const now = Date.now()
  const pathBearing = pathBearingRows(place.config.catalog, asked.tools ?? ['HTTP_*'])
  const options = { without, pathBearing, now, random: Math.random }
  const { request, defaulted } = runTemplate(asked, options)
  const lines = grantLines(request, now)
  const issued = await issueGrant(place, { id: undefined, lines, by, now })
  return { ...issued, lines, defaulted, task: request.task }
}

export interface VariablesRequest {
  readonly gateway: { readonly host: string; readonly port: number }
  readonly token: string
  readonly own: Readonly<Record<string, string | undefined>>
}

/** The variables that put a program behind the gateway; the files that they name are made beside the CA. */
export function proxyVariables(
  place: Offline,
  { gateway, token, own }: VariablesRequest,
): Readonly<Record<string, string>> {
  const trust = createTrustFiles({
    caFile: place.caFile,
    folder: join(place.folder, 'trust'),
    own,
  })
  return createEnvironment({ gateway, token, trust, own })
}
