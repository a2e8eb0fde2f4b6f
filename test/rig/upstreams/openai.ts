import { readBody, sendEvents, sendJson, sendNothingHere } from './site.ts'
import type { Site } from './site.ts'
import { WORD_GAP_MS, WORDS } from './words.ts'

/** Chat completions as the provider streams them, one word an event. */
export const openai: Site = {
  name: 'openai',
  async handle({ request, response, url }) {
    if (url.pathname !== '/v1/chat/completions') return sendNothingHere(response)
    const asked = JSON.parse((await readBody(request)).toString()) as Record<string, unknown>
    const model = String(asked['model'])
    if (asked['stream'] !== true) return sendJson(response, completion(model))
    await sendEvents(response, chunks(model), WORD_GAP_MS)
  },
}

function completion(model: string): object {
  const message = { role: 'assistant', content: WORDS.join(''), refusal: null }
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_790_000_000,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 },
  }
}

function chunks(model: string): string[] {
  const chunk = (delta: object, finish: string | null): string => {
    const body = {
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_790_000_000,
      model,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    }
    return `data: ${JSON.stringify(body)}\n\n`
  }
  return [
    chunk({ role: 'assistant', content: '' }, null),
    ...WORDS.map((content) => chunk({ content }, null)),
    chunk({}, 'stop'),
    'data: [DONE]\n\n',
  ]
}
