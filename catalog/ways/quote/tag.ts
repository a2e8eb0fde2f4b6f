const SIGNS = /[&<>"\u0000-\u001f]/g

/** A value of an attribute in double quotes (XML 1.0, 2.3): what an XML reader would normalise is a reference. */
export function tagValue(text: string): string {
  return `"${text.replaceAll(SIGNS, (sign) => NAMED[sign] ?? `&#${sign.charCodeAt(0)};`)}"`
}

const NAMED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}
