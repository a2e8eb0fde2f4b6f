import t from 'tap'
import { documentOf, rowsOf } from './_document.ts'

const FORM = 'application/x-www-form-urlencoded'
const scalar = { type: 'string' }
const list = { type: 'array', items: scalar }
const object = { type: 'object' }

/** The operation of a document with this body. */
const posting = (content: object) =>
  rowsOf(documentOf({ '/x': { post: { operationId: 'post', requestBody: { content } } } }))

t.test(
  'a form of 3.x becomes the arguments of a row, each in the style that its encoding says',
  async (t) => {
    const properties = {
      text: scalar,
      list,
      comma: list,
      space: list,
      pipe: list,
      each: list,
      deep: object,
      deepList: { type: 'array', items: object },
      either: { anyOf: [scalar, object] },
      json: object,
      lost: object,
      lostList: { type: 'array', items: object },
      flat: object,
    }
    const encoding = {
      comma: { explode: false },
      space: { style: 'spaceDelimited' },
      pipe: { style: 'pipeDelimited', explode: false },
      each: { style: 'pipeDelimited', explode: true },
      deep: { style: 'deepObject', explode: true },
      deepList: { style: 'deepObject' },
      either: { style: 'deepObject' },
      json: { contentType: 'application/json' },
      flat: { style: 'form', explode: true },
    }
    const { tools, notes, skipped } = posting({ [FORM]: { schema: { properties }, encoding } })
    t.same(skipped, [])
    t.match(tools, [{ body: 'form' }])
    t.same(tools[0]?.args.properties, {
      text: { in: 'body', type: 'string' },
      list: { in: 'body', type: 'array' },
      comma: { in: 'body', type: 'array', style: 'comma' },
      space: { in: 'body', type: 'array', style: 'space' },
      pipe: { in: 'body', type: 'array', style: 'pipe' },
      each: { in: 'body', type: 'array' },
      deep: { in: 'body', type: 'object', style: 'deep' },
      deepList: { in: 'body', type: 'array', style: 'deep' },
      either: { in: 'body', style: 'deep' },
      json: { in: 'body', type: 'object', style: 'json' },
    })
    t.same(
      notes.map(({ why }) => why),
      [
        'the body argument lost is left out: the document does not say how an object stands in a form',
        'the body argument lostList is left out: the document does not say how a list of them stands in a form',
        'the body argument flat is left out: the document does not say how an object stands in a form',
      ],
    )
  },
)

t.test('what cannot be written is skipped with its reason', async (t) => {
  const needed = { required: ['lost'], properties: { lost: object } }
  const { tools, skipped } = rowsOf(
    documentOf({
      '/x': {
        post: { requestBody: { required: true, content: { [FORM]: { schema: needed } } } },
        put: { requestBody: { content: { 'multipart/form-data': { schema: needed } } } },
      },
    }),
  )
  t.same(tools, [])
  t.same(
    skipped.map(({ why }) => why),
    [
      'its body is multipart: no arguments are written as one',
      'its argument lost cannot be written: the document does not say how an object stands in a form',
    ],
  )
})

t.test('of several bodies JSON is taken, then a form', async (t) => {
  const schema = { properties: { a: scalar } }
  const multipart = { 'multipart/form-data': { schema } }
  t.match(posting({ ...multipart, [FORM]: { schema } }).tools, [{ body: 'form' }])
  const both = posting({ [FORM]: { schema }, 'application/json': { schema } })
  t.equal(both.tools[0]?.body, undefined)
  t.match(posting({ 'application/octet-stream': {} }), { tools: [{ args: {} }], skipped: [] })
})

t.test('form data of 2.0 without files', async (t) => {
  const parameters = [
    { name: 'text', in: 'formData', type: 'string', required: true, description: 'what' },
    { name: 'q', in: 'query', type: 'string' },
    ...['csv', 'ssv', 'tsv', 'pipes', 'multi', undefined].map((collectionFormat) => ({
      name: String(collectionFormat),
      in: 'formData',
      type: 'array',
      items: scalar,
      collectionFormat,
    })),
  ]
  const rows = (operation: object, more: object = {}) =>
    rowsOf({ swagger: '2.0', host: 'old.test', ...more, paths: { '/x': { post: operation } } })
  const { tools, skipped } = rows({ parameters })
  t.same(skipped, [])
  t.equal(tools[0]?.body, 'form')
  t.same(tools[0]?.args.properties, {
    q: { in: 'query', type: 'string' },
    text: { in: 'body', type: 'string', required: true, description: 'what' },
    csv: { in: 'body', type: 'array', style: 'comma' },
    ssv: { in: 'body', type: 'array', style: 'space' },
    tsv: { in: 'body', type: 'array', style: 'tab' },
    pipes: { in: 'body', type: 'array', style: 'pipe' },
    multi: { in: 'body', type: 'array' },
    undefined: { in: 'body', type: 'array', style: 'comma' },
  })
  const why = [{ why: 'its body is multipart: no arguments are written as one' }]
  t.match(rows({ parameters: [{ name: 'f', in: 'formData', type: 'file' }] }).skipped, why)
  t.match(rows({ parameters, consumes: ['multipart/form-data'] }).skipped, why)
  t.match(rows({ parameters }, { consumes: ['multipart/form-data'] }).skipped, why)
  t.same(rows({ parameters, consumes: ['multipart/form-data', FORM] }).skipped, [])
})
