import { setTimeout as delay } from 'node:timers/promises'
import {
  Server,
  type CallToolResult,
  type ContentBlock,
  type GetPromptResult,
  type ReadResourceResult,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server'

/** One red point, and one sample of silence. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQIAAACAgA=='

type Args = Readonly<Record<string, unknown>>
type Handler = (args: Args, context: ServerContext) => Promise<CallToolResult>
type Elicited = Parameters<ServerContext['mcpReq']['elicitInput']>[0]

const words = (text: string): ContentBlock => ({ type: 'text', text })
const saying = (...content: ContentBlock[]): CallToolResult => ({ content })
const embedded = (uri: string, mimeType: string, text: string): ContentBlock => ({
  type: 'resource',
  resource: { uri, mimeType, text },
})

const one = (value: string, title: string) => ({ const: value, title })

/** Asks the client's person, and says what came of it. */
async function ask(
  { mcpReq }: ServerContext,
  message: string,
  requestedSchema: object,
): Promise<CallToolResult> {
  const answer = await mcpReq.elicitInput({ mode: 'form', message, requestedSchema } as Elicited)
  const content = JSON.stringify(answer.content ?? {})
  return saying(words(`Elicitation completed: action=${answer.action}, content=${content}`))
}

const HANDLERS: Readonly<Record<string, Handler>> = {
  test_simple_text: async () => saying(words('This is a simple text response for testing.')),
  test_image_content: async () => saying({ type: 'image', data: PNG, mimeType: 'image/png' }),
  test_audio_content: async () => saying({ type: 'audio', data: WAV, mimeType: 'audio/wav' }),
  test_embedded_resource: async () =>
    saying(
      embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
    ),
  test_multiple_content_types: async () =>
    saying(
      words('Multiple content types test:'),
      { type: 'image', data: PNG, mimeType: 'image/png' },
      embedded(
        'test://mixed-content-resource',
        'application/json',
        JSON.stringify({ test: 'data', value: 123 }),
      ),
    ),
  async test_tool_with_logging(_args, { mcpReq }) {
    for (const text of ['execution started', 'processing data', 'execution completed']) {
      await mcpReq.log('info', `Tool ${text}`)
      await delay(50)
    }
    return saying(words('done'))
  },
  async test_tool_with_progress(_args, { mcpReq }) {
    const progressToken = mcpReq._meta?.progressToken
    for (const progress of [0, 50, 100]) {
      const params = { progressToken: progressToken ?? 0, progress, total: 100 }
      if (progressToken !== undefined)
        await mcpReq.notify({ method: 'notifications/progress', params })
      await delay(50)
    }
    return saying(words('done'))
  },
  test_error_handling: async () => ({
    isError: true,
    content: [words('This tool intentionally returns an error for testing')],
  }),
  async test_sampling({ prompt }, { mcpReq }) {
    const content = { type: 'text', text: String(prompt) } as const
    const { content: said } = await mcpReq.requestSampling({
      messages: [{ role: 'user', content }],
      maxTokens: 100,
    })
    return saying(words(`LLM response: ${JSON.stringify(said)}`))
  },
  test_elicitation: async ({ message }, context) =>
    ask(context, String(message), {
      type: 'object',
      properties: { username: { type: 'string' }, email: { type: 'string' } },
      required: ['username', 'email'],
    }),
  test_elicitation_sep1034_defaults: async (_args, context) =>
    ask(context, 'defaults', {
      type: 'object',
      properties: {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      },
    }),
  test_elicitation_sep1330_enums: async (_args, context) =>
    ask(context, 'enums', {
      type: 'object',
      properties: {
        untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
        titledSingle: {
          type: 'string',
          oneOf: [one('value1', 'First Option'), one('value2', 'Second Option')],
        },
        legacyEnum: {
          type: 'string',
          enum: ['opt1', 'opt2', 'opt3'],
          enumNames: ['Option One', 'Option Two', 'Option Three'],
        },
        untitledMulti: {
          type: 'array',
          items: { type: 'string', enum: ['option1', 'option2', 'option3'] },
        },
        titledMulti: {
          type: 'array',
          items: { anyOf: [one('value1', 'First Choice'), one('value2', 'Second Choice')] },
        },
      },
    }),
  async test_reconnection(_args, { http }) {
    http?.closeSSE?.()
    await delay(100)
    return saying(words('taken up again'))
  },
  json_schema_2020_12_tool: async () => saying(words('done')),
}

const SCHEMAS: Readonly<Record<string, object>> = {
  test_sampling: { type: 'object', properties: { prompt: { type: 'string' } } },
  test_elicitation: { type: 'object', properties: { message: { type: 'string' } } },
  json_schema_2020_12_tool: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
    additionalProperties: false,
  },
}

const TOOLS = Object.keys(HANDLERS).map((name) => ({
  name,
  description: `The tool ${name}`,
  inputSchema: SCHEMAS[name] ?? { type: 'object' },
})) as Tool[]

const RESOURCES = ['static-text', 'static-binary', 'watched-resource'].map((name) => ({
  uri: `test://${name}`,
  name,
  description: `The resource ${name}`,
}))

function readResource(uri: string): ReadResourceResult {
  const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? []
  if (id !== undefined) {
    const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
    return { contents: [{ uri, mimeType: 'application/json', text }] }
  }
  if (uri === 'test://static-binary')
    return { contents: [{ uri, mimeType: 'image/png', blob: PNG }] }
  const text = 'This is the content of the static text resource.'
  return { contents: [{ uri, mimeType: 'text/plain', text }] }
}

const said = (...blocks: ContentBlock[]): GetPromptResult => ({
  messages: blocks.map((content) => ({ role: 'user', content })),
})

const PROMPTS: Readonly<Record<string, (args: Args) => GetPromptResult>> = {
  test_simple_prompt: () => said(words('This is a simple prompt for testing.')),
  test_prompt_with_arguments: ({ arg1, arg2 }) =>
    said(words(`Prompt with arguments: arg1='${String(arg1)}', arg2='${String(arg2)}'`)),
  test_prompt_with_embedded_resource: ({ resourceUri }) =>
    said(
      embedded(String(resourceUri), 'text/plain', 'Embedded resource content for testing.'),
      words('Please process the embedded resource above.'),
    ),
  test_prompt_with_image: () =>
    said(
      { type: 'image', data: PNG, mimeType: 'image/png' },
      words('Please analyze the image above.'),
    ),
}

const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  test_prompt_with_arguments: ['arg1', 'arg2'],
  test_prompt_with_embedded_resource: ['resourceUri'],
}

/** The server for one client. */
export function createReference(): Server {
  const server = new Server(
    { name: 'reference', version: '1.0.0' },
    {
      capabilities: {
        tools: {},
        resources: { subscribe: true },
        prompts: {},
        logging: {},
        completions: {},
      },
    },
  )
  server.setRequestHandler('tools/list', () => ({ tools: TOOLS }))
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const handler = HANDLERS[params.name]
    if (handler === undefined) throw new Error(`there is no tool ${params.name}`)
    return handler(params.arguments ?? {}, context)
  })
  server.setRequestHandler('resources/list', () => ({ resources: RESOURCES }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
  }))
  server.setRequestHandler('resources/read', ({ params }) => readResource(params.uri))
  server.setRequestHandler('resources/subscribe', () => ({}))
  server.setRequestHandler('resources/unsubscribe', () => ({}))
  server.setRequestHandler('prompts/list', () => ({
    prompts: Object.keys(PROMPTS).map((name) => ({
      name,
      description: `The prompt ${name}`,
      arguments: (ARGUMENTS[name] ?? []).map((argument) => ({ name: argument, required: true })),
    })),
  }))
  server.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = PROMPTS[params.name]
    if (prompt === undefined) throw new Error(`there is no prompt ${params.name}`)
    return prompt(params.arguments ?? {})
  })
  server.setRequestHandler('completion/complete', () => ({
    completion: { values: ['paris', 'park'], total: 2, hasMore: false },
  }))
  return server
}
