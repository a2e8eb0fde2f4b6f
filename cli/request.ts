import { explainCaveat } from '../policy/index.ts'
import { TEMPLATE_AXES, type GrantRequest, type TemplateAxis } from '../sidecar/template.ts'
import { EXIT, Fault } from './exit.ts'

/** The options of GRANT as they were parsed. */
export interface GrantValues {
  readonly tools: string[] | undefined
  readonly ways: string[] | undefined
  readonly expires: string | undefined
  readonly uses: string | undefined
  readonly task: string | undefined
  readonly area: string[] | undefined
  readonly arg: string[] | undefined
  readonly person: string | undefined
  readonly keys: string | undefined
  readonly model: string[] | undefined
}

function usesOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^(0|[1-9]\d{0,8})$/.test(text)) {
    throw new Fault(EXIT.usage, `uses: got \`${text}\``, 'write a whole number from 0 to 999999999')
  }
  return Number(text)
}

/** What was asked for, with nothing added; absent options are absent members. */
export function grantRequest(values: GrantValues, delegable: boolean | undefined): GrantRequest {
  const members = {
    keys: values.keys,
    tools: values.tools,
    ways: values.ways,
    expires: values.expires,
    uses: usesOf(values.uses),
    task: values.task,
    area: values.area,
    args: values.arg,
    person: values.person,
    model: values.model,
    delegable,
  }
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as GrantRequest
}

/** The axes that `--without` names, commas allowed. */
export function withoutAxes(names: readonly string[] | undefined): readonly TemplateAxis[] {
  return (names ?? [])
    .flatMap((item) => item.split(','))
    .map((name) => {
      const axis = TEMPLATE_AXES.find((known) => known === name)
      if (axis !== undefined) return axis
      throw new Fault(
        EXIT.usage,
        `without: got \`${name}\``,
        `name one of: ${TEMPLATE_AXES.join(', ')}`,
      )
    })
}

/** A line with its plain words beside it. */
export function explainedLine(line: string, width: number): string {
  return `${line.padEnd(width)}  ${explainCaveat(line)}`
}
