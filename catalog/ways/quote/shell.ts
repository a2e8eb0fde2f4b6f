/** One word of a POSIX shell (2.2.2): everything but NUL stands in single quotes as it is. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Whether a text can be an argument of a program at all: it ends at the first NUL. */
export function fitsShell(text: string): boolean {
  return !text.includes('\0')
}
