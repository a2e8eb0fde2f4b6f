import { isMembers, type Members } from '../check.ts'
import type { ModelCall } from './types.ts'
import type { ModelTexts } from './texts.ts'

/** In which form an upstream takes calls of models. */
export type Dialect = 'openai' | 'anthropic'

/** What a model answered. */
export interface ModelText {
  readonly text: string
  /** Why it ended, in the upstream's own word. */
  readonly finish_reason?: string
  readonly usage?: { readonly input_tokens: number; readonly output_tokens: number }
}

/** A call as it is asked of an upstream. */
interface Asked extends ModelTexts, Pick<ModelCall, 'temperature' | 'max_tokens'> {
  /** The upstream's own name. */
  readonly model: string
}

interface Form {
  /** Header fields of a request, names and values in turn. */
  readonly headers: readonly string[]
  /** The JSON body of a request; undefined members are left out. */
  body(asked: Asked): Members
  /** The answer in the value of an answer's body; undefined where there is none in it. */
  read(value: unknown): ModelText | undefined
}

/** How each dialect writes a call and reads an answer: only what all servers that speak it have. */
export const DIALECTS: Readonly<Record<Dialect, Form>> = {
  openai: { headers: [], body: chatCompletion, read: readCompletion },
  anthropic: {
    headers: ['anthropic-version', '2023-06-01'],
    body: message,
    read: readMessage,
  },
}

/** Chat completions: `max_tokens` is the name that servers other than the first one know, too. */
function chatCompletion({ model, system, input, temperature, max_tokens }: Asked): Members {
  const first = system === undefined ? [] : [{ role: 'system', content: system }]
  return known({
    model,
    messages: [...first, { role: 'user', content: input }],
    temperature,
    max_tokens,
  })
}

function readCompletion(value: unknown): ModelText | undefined {
  const choice = firstOf(memberOf(value, 'choices'))
  const text = memberOf(memberOf(choice, 'message'), 'content')
  if (typeof text !== 'string') return undefined
  const usage = usageOf(value, ['prompt_tokens', 'completion_tokens'])
  return { text, ...finished(memberOf(choice, 'finish_reason')), ...usage }
}

/** The dialect asks for a bound; every model of it takes this one. */
const MAX_TOKENS = 4096

function message({ model, system, input, temperature, max_tokens = MAX_TOKENS }: Asked): Members {
  const messages = [{ role: 'user', content: input }]
  return known({ model, max_tokens, system, messages, temperature })
}

function readMessage(value: unknown): ModelText | undefined {
  const content = memberOf(value, 'content')
  if (!Array.isArray(content)) return undefined
  const texts = content.flatMap((block: unknown) => {
    const text = memberOf(block, 'type') === 'text' ? memberOf(block, 'text') : undefined
    return typeof text === 'string' ? [text] : []
  })
  if (texts.length === 0) return undefined
  const usage = usageOf(value, ['input_tokens', 'output_tokens'])
  return { text: texts.join(''), ...finished(memberOf(value, 'stop_reason')), ...usage }
}

function known(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

function memberOf(value: unknown, name: string): unknown {
  return isMembers(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? (value as readonly unknown[])[0] : undefined
}

function finished(reason: unknown): Pick<ModelText, 'finish_reason'> {
  return typeof reason === 'string' ? { finish_reason: reason } : {}
}

function usageOf(value: unknown, names: readonly [string, string]): Pick<ModelText, 'usage'> {
  const usage = memberOf(value, 'usage')
  const [input, output] = names.map((name) => memberOf(usage, name))
  return typeof input === 'number' && typeof output === 'number'
    ? { usage: { input_tokens: input, output_tokens: output } }
    : {}
}
