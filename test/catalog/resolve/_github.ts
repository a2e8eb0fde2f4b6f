import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { Searchable } from '../../../catalog/resolve/rows.ts'

const file = (name: string) => readFileSync(new URL(name, import.meta.url))

/** The rows of GitHub's document (npm @octokit/openapi 23.0.2), as the resolver reads them: 1,223. */
export function githubRows(): readonly Searchable[] {
  const lines = gunzipSync(file('github.tsv.gz')).toString().trimEnd().split('\n')
  return lines.map((line) => {
    const [name = '', summary = '', path = '', args = ''] = line.split('\t')
    const names = args.split(' ').filter(Boolean)
    return {
      name: `GITHUB_${name}`,
      summary,
      host: 'api.github.com',
      path,
      args: { properties: Object.fromEntries(names.map((arg) => [arg, { in: 'query' as const }])) },
    }
  })
}

/** A question, the row that somebody who asks it means, and where it is found. */
export interface Golden {
  readonly question: string
  /** `-` where no row is meant, and none may be found. */
  readonly name: string
  /** From 1; 0 where it is not among the first twenty. */
  readonly rank: number
}

export function goldenQuestions(): readonly Golden[] {
  const lines = file('github-questions.tsv').toString().trimEnd().split('\n')
  return lines.map((line) => {
    const [question = '', name = '', rank = ''] = line.split('\t')
    return { question, name, rank: Number(rank) }
  })
}
