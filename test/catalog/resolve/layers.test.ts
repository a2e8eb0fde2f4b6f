import t from 'tap'
import { createResolver } from '../../../catalog/resolve/resolver.ts'
import { row } from './_rows.ts'

const ROWS = [
  row('IMSG_SEND_MESSAGE', 'send a text to a phone'),
  row('BLOOIO_SEND', 'send a text'),
  row('TWOCHAT_SEND_TEXT', 'send a message'),
  row('GITHUB_ISSUES_LIST', 'list the issues of everything'),
  row('GITHUB_ISSUES_LIST_FOR_REPO', 'list the issues of a repository'),
  row('GITHUB_ISSUES_LIST_LABELS', 'list labels', {
    path: '/repos/{owner}/{repo}/labels',
    args: { properties: { perPage: { in: 'query' } } },
  }),
  row('HOOKS_PING', 'ask a webhook whether it is there'),
  row('PHONE_CALL', 'call somebody'),
]
const resolver = createResolver(ROWS)
const best = (question: string) => {
  const [found] = resolver.find(question)
  return found && [found.row.name, found.score, found.matched_on, found.matched_because]
}

t.test('each layer finds its row and says why', async (t) => {
  const cases: Record<string, readonly (string | number)[]> = {
    'github issues list': ['GITHUB_ISSUES_LIST', 1000, 'name', 'the name is the query'],
    GITHUB_ISSUES_LIST_F: [
      'GITHUB_ISSUES_LIST_FOR_REPO',
      900,
      'name',
      'the name begins with the query',
    ],
    'github labels': ['GITHUB_ISSUES_LIST_LABELS', 800, 'name', 'the name begins with "github"'],
    'list issues for the repo': [
      'GITHUB_ISSUES_LIST_FOR_REPO',
      700,
      'name',
      'every word is in the name: list, issues, repo',
    ],
    imessage: ['IMSG_SEND_MESSAGE', 600, 'alias', '"imessage" means this'],
    'is a webhook there': [
      'HOOKS_PING',
      500,
      'row',
      'every word is in the row: "webhook" in the summary, "there" in the summary',
    ],
    'labels perPage': [
      'GITHUB_ISSUES_LIST_LABELS',
      500,
      'row',
      'every word is in the row: "labels" in the name, "perpage" in the arguments',
    ],
    isseus: ['GITHUB_ISSUES_LIST', 300, 'typo', '"isseus" is a typing error away from "issues"'],
    phoan: ['PHONE_CALL', 200, 'sound', '"phoan" sounds like "phone"'],
  }
  for (const [question, wanted] of Object.entries(cases)) t.same(best(question), wanted, question)
  t.equal(best('zzzz'), undefined)
  t.equal(best(''), undefined)
  t.equal(best('???'), undefined)
})

t.test('the aliases that come with the program', async (t) => {
  const names = (question: string) => resolver.find(question).map((found) => found.row.name)
  t.same(names('imessage').slice(0, 1), ['IMSG_SEND_MESSAGE'])
  t.same(names('text message').slice(0, 2), ['IMSG_SEND_MESSAGE', 'BLOOIO_SEND'])
  t.same(names('whatsapp').slice(0, 1), ['TWOCHAT_SEND_TEXT'])
  t.same(best('blue bubble'), ['IMSG_SEND_MESSAGE', 600, 'alias', '"blue bubble" means this'])
  t.same(names('can you send a WhatsApp, please?').slice(0, 1), ['TWOCHAT_SEND_TEXT'])
})

t.test('aliases of the configuration come before those of the program', async (t) => {
  const named = createResolver(ROWS, [
    { words: 'imessage', names: ['^IMSG_'] },
    { words: 'text message', names: ['^IMSG_', '^BLOOIO'] },
    { words: 'whatsapp', names: ['^BLOOIO', '^TWOCHAT_'] },
    { words: 'blue bubble', names: ['^HOOKS_', '^IMSG_'] },
    { words: 'ping', names: ['^PHONE_'] },
  ])
  const found = (question: string) =>
    named.find(question).map(({ row, score, matched_because: why }) => [row.name, score, why])
  const whatsapp = '"whatsapp" means this'
  t.same(found('whatsapp'), [
    ['BLOOIO_SEND', 600, whatsapp],
    ['TWOCHAT_SEND_TEXT', 600, whatsapp],
  ])
  const bubble = '"blue bubble" means this'
  t.same(found('is there a blue bubble?'), [
    ['HOOKS_PING', 600, bubble],
    ['IMSG_SEND_MESSAGE', 600, bubble],
  ])
  t.same(found('ping'), [
    ['HOOKS_PING', 700, 'every word is in the name: ping'],
    ['PHONE_CALL', 600, '"ping" means this'],
  ])
  const two = createResolver(ROWS, [{ words: 'text messages', names: ['^PHONE_'] }])
  t.same(
    two.find('text messages').map(({ row }) => row.name),
    ['PHONE_CALL', 'IMSG_SEND_MESSAGE', 'BLOOIO_SEND', 'TWOCHAT_SEND_TEXT'],
    'the one of the configuration first, then those that are shipped',
  )
})

t.test('aliases of the configuration', async (t) => {
  const own = createResolver(ROWS, [
    { words: 'ring', names: ['^PHONE_'] },
    { words: 'poke', names: ['PING'] },
    { words: 'nothing', names: ['^NOWHERE_'] },
  ])
  t.match(own.find('ring'), [{ row: { name: 'PHONE_CALL' }, score: 600 }])
  t.match(own.find('pokes'), [{ row: { name: 'HOOKS_PING' }, score: 600 }], 'a plural')
  t.same(own.find('nothing'), [])
})

t.test('only what may be called is ranked, and no more than were asked for', async (t) => {
  const mayCall = ({ name }: { readonly name: string }) => name !== 'GITHUB_ISSUES_LIST'
  const names = resolver.find('list issues', { mayCall }).map((found) => found.row.name)
  t.same(names, ['GITHUB_ISSUES_LIST_LABELS', 'GITHUB_ISSUES_LIST_FOR_REPO'])
  t.equal(resolver.find('list issues', { limit: 1 }).length, 1)
})
