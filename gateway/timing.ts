/** The stages whose time is told, in the order of the way; `body` is from the answer's head to its end. */
export const STAGES = ['token', 'envelope', 'policy', 'keys', 'intent', 'upstream', 'body'] as const

export type Stage = (typeof STAGES)[number]

/** Milliseconds by stage, of those that were reached. */
export type Timing = { -readonly [Name in Stage]?: number }
