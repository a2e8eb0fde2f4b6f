import { InvalidRequest } from './invalid.ts'
/** The forms in which `narrowgate env` prints variables. */
export const FORMATS = ['shell', 'dockerfile', 'compose', 'json'] as const
export type Format = (typeof FORMATS)[number]

type Variables = Readonly<Record<string, string>>

/** In single quotes a POSIX shell reads every byte as it is, but for the quote itself. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** A Dockerfile's ENV takes backslash escapes, and expands `$`, inside double quotes. */
function dockerfileQuote(text: string): string {
  return `"${text.replaceAll(/[\\"$]/g, '\\$&')}"`
}

/** A JSON string is a YAML string; compose interpolates `$` after it has read the YAML. */
function composeQuote(text: string): string {
  return JSON.stringify(text).replaceAll('$', '$$$$')
}

function lines(variables: Variables, line: (name: string, value: string) => string): string {
  return Object.entries(variables)
    .map(([name, value]) => `${line(name, value)}\n`)
    .join('')
}

/** One value per line is what a Dockerfile can hold; the others could, but no value of ours needs it. */
function refuseLineBreaks(variables: Variables): void {
  const broken = Object.entries(variables).find(([, value]) => /[\r\n\0]/.test(value))
  if (broken !== undefined) {
    throw new InvalidRequest(
      `${broken[0]}: the value holds a line break or NUL; take it out of your own environment first`,
    )
  }
}

const WRITERS: Readonly<Record<Format, (variables: Variables) => string>> = {
  shell: (variables) => lines(variables, (name, value) => `export ${name}=${shellQuote(value)}`),
  dockerfile: (variables) =>
    lines(variables, (name, value) => `ENV ${name}=${dockerfileQuote(value)}`),
  compose: (variables) =>
    `environment:\n${lines(variables, (name, value) => `  ${name}: ${composeQuote(value)}`)}`,
  json: (variables) => `${JSON.stringify(variables, null, 2)}\n`,
}

/** The variables as text that the format's own reader turns back into the same values. Throws InvalidRequest on line breaks. */
export function formatVariables(variables: Variables, format: Format): string {
  refuseLineBreaks(variables)
  return WRITERS[format](variables)
}
