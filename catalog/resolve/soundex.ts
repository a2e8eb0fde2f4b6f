const CODES: Readonly<Record<string, string>> = {
  ...same('bfpv', '1'),
  ...same('cgjkqsxz', '2'),
  ...same('dt', '3'),
  ...same('l', '4'),
  ...same('mn', '5'),
  ...same('r', '6'),
}

function same(letters: string, code: string): Record<string, string> {
  return Object.fromEntries(letters.split('').map((letter) => [letter, code]))
}

/**
 * American Soundex: the first letter and three digits of the consonants behind it (National Archives of the United States,
 * "The Soundex Indexing System"). Undefined for what is not of the letters a to z, or shorter than three.
 */
export function soundex(word: string): string | undefined {
  if (!/^[a-z]{3,}$/.test(word)) return undefined
  let code = word[0]!.toUpperCase()
  let last = CODES[word[0]!]
  for (const letter of word.slice(1)) {
    const digit = CODES[letter]
    if (digit !== undefined && digit !== last) code += digit
    if (code.length === 4) return code
    // Between h and w equal digits count once; a vowel parts them.
    if (letter !== 'h' && letter !== 'w') last = digit
  }
  return code.padEnd(4, '0')
}
