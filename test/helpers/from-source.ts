/** The flag with which a child process runs TypeScript files as this one does. */
export const FROM_SOURCE = `--import=${import.meta.resolve('../loader/compiled.mjs')}`
