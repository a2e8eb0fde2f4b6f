/** A server of tools over standard input and output: a program that Node runs as it stands. */
export const PROGRAM = new URL('program.mjs', import.meta.url).pathname
