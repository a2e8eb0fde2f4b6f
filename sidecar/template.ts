import { InvalidRequest } from './invalid.ts'
import { expiryOf } from './expiry.ts'

/** What a grant is asked to say; each member becomes one line, `args` one line each. */
export interface GrantRequest {
  readonly keys?: string
  readonly tools?: readonly string[]
  readonly ways?: readonly string[]
  /** A duration or a date. */
  readonly expires?: string
  readonly uses?: number
  readonly task?: string
  readonly area?: readonly string[]
  /** Each `TOOL.path op value`. */
  readonly args?: readonly string[]
  readonly person?: string
  readonly model?: readonly string[]
  readonly delegable?: boolean
}

/** Axes that `run` gives a line to. Only what is named in `--without` is left out. */
export const TEMPLATE_AXES = ['tools', 'expires', 'uses', 'task', 'area', 'delegate'] as const
export type TemplateAxis = (typeof TEMPLATE_AXES)[number]

const TEMPLATE_DEFAULTS = { tools: ['HTTP_*'], expires: '2h', uses: 1000 } as const

/** Crockford's alphabet: no letter that reads as a digit. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

function base32(value: number, length: number): string {
  let left = value
  let text = ''
  while (text.length < length) {
    text = `${ALPHABET[left % 32]}${text}`
    left = Math.floor(left / 32)
  }
  return text
}

/** The name of one run: it sorts by time, and 25 random bits keep runs of one millisecond apart. */
export function runTask(now: number, random: () => number): string {
  return `T-run-${base32(now, 9)}${base32(Math.floor(random() * 2 ** 25), 5)}`
}

function list(axis: string, items: readonly string[] | undefined): readonly string[] {
  return items === undefined || items.length === 0 ? [] : [`${axis} = ${items.join(',')}`]
}

function line(prefix: string, value: string | number | undefined): readonly string[] {
  return value === undefined ? [] : [`${prefix} ${value}`]
}

/** The lines of a request in the order in which they are minted: `keys` first, `delegate` last. */
export function grantLines(request: GrantRequest, now: number): readonly string[] {
  return [
    ...line('keys =', request.keys),
    ...list('tools', request.tools),
    ...list('ways', request.ways),
    ...line(
      'expires <',
      request.expires === undefined ? undefined : expiryOf(request.expires, now),
    ),
    ...line('uses <=', request.uses),
    ...line('task =', request.task),
    ...list('area', request.area),
    ...(request.args ?? []).map((rule) => `arg ${rule}`),
    ...line('person =', request.person),
    ...list('model', request.model),
    ...(request.delegable === false ? ['delegate = no'] : []),
  ]
}

export interface TemplateOptions {
  readonly without: readonly TemplateAxis[]
  /** Granted rows of the catalog whose arguments bear paths; such a grant has to say its area. */
  readonly pathBearing: readonly string[]
  readonly now: number
  /** 0 to 1, as Math.random gives it. */
  readonly random: () => number
}

export interface RunTemplate {
  readonly request: GrantRequest
  /** The lines that nobody asked for, so that they can be shown. */
  readonly defaulted: readonly string[]
}

function dropped(request: GrantRequest, without: readonly TemplateAxis[]): GrantRequest {
  const left: Record<string, unknown> = { ...request }
  for (const axis of without) delete left[axis === 'delegate' ? 'delegable' : axis]
  return left as GrantRequest
}

function refuseContradictions(asked: GrantRequest, options: TemplateOptions): void {
  const twice = options.without.find((axis) => axis !== 'delegate' && asked[axis] !== undefined)
  if (twice !== undefined) {
    throw new InvalidRequest(
      `without: \`${twice}\` is both asked for and left out; drop one of the two`,
    )
  }
  if (
    options.pathBearing.length > 0 &&
    asked.area === undefined &&
    !options.without.includes('area')
  ) {
    throw new InvalidRequest(
      `area: ${options.pathBearing.map((name) => `\`${name}\``).join(', ')} take paths, so say which may be touched: --area /src,/docs (or --without area)`,
    )
  }
}

/**
 * The run template: tools, expires, uses, task, area and delegate, each as asked for or by default.
 * Area has no default. Throws InvalidRequest where area is missing and needed, or a line is both asked for and left out.
 */
export function runTemplate(asked: GrantRequest, options: TemplateOptions): RunTemplate {
  refuseContradictions(asked, options)
  const defaults: GrantRequest = dropped(
    { ...TEMPLATE_DEFAULTS, task: runTask(options.now, options.random), delegable: false },
    options.without,
  )
  const missing = Object.fromEntries(
    Object.entries(defaults).filter(([name]) => !(name in asked)),
  ) as GrantRequest
  return { request: { ...asked, ...missing }, defaulted: grantLines(missing, options.now) }
}
