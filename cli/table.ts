/** Text from outside may hold escape sequences that would move the reader's cursor. */
export function printable(text: string): string {
  return text.replaceAll(
    /[\u0000-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]/g,
    '\uFFFD',
  )
}

function padded(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, column) => cell.padEnd(widths[column] ?? 0))
    .join('  ')
    .trimEnd()
}

/** Columns under a head, as wide as their widest cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const clean = rows.map((row) => row.map(printable))
  const widths = head.map((title, column) =>
    Math.max(title.length, ...clean.map((row) => row[column]?.length ?? 0)),
  )
  return [head, ...clean].map((row) => `${padded(row, widths)}\n`).join('')
}
