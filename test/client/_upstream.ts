import type { Setup } from '../helpers/gateway.ts'
import { answerJson, bodyOf } from '../helpers/upstream.ts'

const id = { in: 'path', type: 'string', required: true } as const

/** Tools for a client to call, and an upstream behind them. */
export const CLIENT_SETUP: Setup = {
  rows: [
    {
      name: 'NOTE',
      method: 'GET',
      path: '/notes/{id}',
      summary: 'read one note',
      args: { properties: { id } },
    },
    { name: 'NOTES_LIST', method: 'GET', path: '/notes', summary: 'list all notes' },
    {
      name: 'NOTES_MAKE',
      method: 'POST',
      path: '/notes',
      summary: 'write a new note',
      args: { properties: { title: { in: 'body', type: 'string', required: true } } },
    },
  ],
  async serve(req, res) {
    const { url = '' } = req
    if (req.method === 'POST') {
      const { title } = JSON.parse((await bodyOf(req)).toString()) as { readonly title: string }
      return answerJson(res, { id: 4, title }, 201)
    }
    if (url === '/notes') return answerJson(res, NOTES)
    const special = SPECIAL[url.slice('/notes/'.length)]
    if (special !== undefined) return void special(res)
    const note = NOTES.find((each) => url === `/notes/${each.id}`)
    answerJson(res, note ?? { error: 'no such note' }, note === undefined ? 404 : 200)
  },
}

const NOTES = [
  { id: 1, title: 'buy milk', by: { name: 'ada' } },
  { id: 2, title: 'call home', by: { name: 'ben' } },
  { id: 3, title: 'water plants', by: { name: 'ada' } },
]

type Special =
  NonNullable<Setup['serve']> extends (req: never, res: infer Res) => unknown
    ? (res: Res) => void
    : never

const SPECIAL: Readonly<Record<string, Special>> = {
  text: (res) => void res.setHeader('content-type', 'text/plain').end('grüße'),
  broken: (res) => void res.setHeader('content-type', 'application/json').end('{"id":'),
  bytes: (res) => void res.end(Buffer.from([0xff, 0xfe])),
  nothing: (res) => void res.writeHead(204).end(),
  away: (res) => void res.writeHead(302, { location: '/notes/2' }).end(),
  never: () => {},
  slow: (res) => void setTimeout(() => answerJson(res, { id: 'slow' }), 300),
  foreign: (res) =>
    void res
      .writeHead(200, {
        'access-control-allow-origin': 'https://elsewhere.test',
        'access-control-allow-credentials': 'true',
        'content-type': 'application/json',
      })
      .end('{}'),
  async stream(res) {
    res.setHeader('content-type', 'text/event-stream').write('data: 1\n\n')
    setTimeout(() => res.end('data: 2\n\n'), 300)
  },
}
