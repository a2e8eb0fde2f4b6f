/** A value of a text line, `NAME key="value"`, with the escapes of JSON. */
export function lineValue(text: string): string {
  return JSON.stringify(text)
}
