import { readBody, sendEvents, sendNothingHere } from './site.ts'
import type { Site } from './site.ts'
import { WORD_GAP_MS, WORDS } from './words.ts'

/** Messages as the provider streams them, one word an event. */
export const anthropic: Site = {
  name: 'anthropic',
  async handle({ request, response, url }) {
    if (url.pathname !== '/v1/messages') return sendNothingHere(response)
    const asked = JSON.parse((await readBody(request)).toString()) as Record<string, unknown>
    await sendEvents(response, events(String(asked['model'])), WORD_GAP_MS)
  },
}

function events(model: string): string[] {
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 3, output_tokens: 1 },
  }
  return [
    event('message_start', { message }),
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    event('ping', {}),
    ...WORDS.map((text) =>
      event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
    ),
    event('content_block_stop', { index: 0 }),
    event('message_delta', {
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 5 },
    }),
    event('message_stop', {}),
  ]
}

function event(type: string, members: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`
}
