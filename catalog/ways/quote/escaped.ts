/** Characters that end a line, or that editors and terminals do not carry. */
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]/g

/** A literal in single quotes, as JavaScript (ECMA-262, 12.9.4) and Python (2.4.1) both read it. */
export function quotedLiteral(text: string): string {
  const escaped = text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll("'", String.raw`\'`)
    .replaceAll(CONTROLS, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return `'${escaped}'`
}
