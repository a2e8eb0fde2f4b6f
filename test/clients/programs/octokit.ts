/** Lists the issues of a repository, in pages of 12; prints their titles. */
import { Octokit } from '@octokit/rest'
import { EnvHttpProxyAgent, setGlobalDispatcher } from 'undici'

setGlobalDispatcher(new EnvHttpProxyAgent())
const octokit = new Octokit({
  auth: 'none: the gateway has it',
  baseUrl: 'https://github.ng.test',
})
const issues = await octokit.paginate(octokit.rest.issues.listForRepo, {
  owner: 'octo',
  repo: 'hello',
  state: 'all',
  per_page: 12,
})
process.stdout.write(JSON.stringify(issues.map((issue) => issue.title)))
