import { validateHeaderName, validateHeaderValue } from 'node:http'

/** In upper case, and no parser folds them (RFC 9110, 9.1). */
const METHOD = /^[A-Z][A-Z-]{0,63}$/

/** Whether a door takes this as a method. */
export function isMethod(text: unknown): text is string {
  return typeof text === 'string' && METHOD.test(text)
}

/** Whether a text can be the name of a field. */
export function isFieldName(name: string): boolean {
  return passes(() => validateHeaderName(name))
}

/** Whether a text can be sent as a field's value: on one line, of ISO 8859-1, without control characters. */
export function isFieldValue(name: string, value: string): boolean {
  return passes(() => validateHeaderValue(name, value))
}

function passes(check: () => void): boolean {
  try {
    check()
    return true
  } catch {
    return false
  }
}
