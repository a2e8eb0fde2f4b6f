/** What the streaming sites say, one word an event. */
export const WORDS = ['narrow ', 'is ', 'the ', 'gate ', 'indeed'] as const

/** The pause after each event. */
export const WORD_GAP_MS = 120
