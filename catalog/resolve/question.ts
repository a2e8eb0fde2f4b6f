/** A question as the resolver sees it. */
export interface Question {
  /** What is left of the text, in the spelling of names: `LIST_ISSUES`. */
  readonly key: string
  /** Every word that is left, in order, in lower case. */
  readonly words: readonly string[]
  /** Those of them that must be found; words such as `for` and `of` need not be. */
  readonly asked: readonly string[]
}

/** Words past this many are not looked at. */
const MOST_WORDS = 16

/** How questions begin and end, each as its words; the longest that fits is taken away, again and again. */
const OPENINGS: readonly string[] = [
  'how do i',
  'how do you',
  'how do we',
  'how does one',
  'how can i',
  'how can we',
  'how could i',
  'how would i',
  'how should i',
  'how to',
  'where is my',
  'where is the',
  'where is',
  'where are my',
  'where are the',
  'where are',
  'where can i',
  'where do i',
  'what is my',
  'what is the',
  'what is',
  'what are my',
  'what are the',
  'what are',
  'what does',
  'which tool can',
  'which tool',
  'which',
  'who is',
  'when is',
  'is there a way to',
  'is there a tool to',
  'is there a tool for',
  'is there a',
  'is there',
  'are there',
  'can you',
  'can i',
  'can we',
  'could you',
  'would you',
  'will you',
  'i want to',
  'i want',
  'i need to',
  'i need',
  'i would like to',
  'i like to',
  'i have to',
  'i am trying to',
  'i am looking for',
  'we need to',
  'we want to',
  'help me to',
  'help me',
  'let me',
  'let us',
  'show me how to',
  'tell me how to',
  'tell me',
  'give me',
  'please',
  'kindly',
  'hey',
  'hi',
  'hello',
  'ok',
  'so',
  'and',
  'then',
  'just',
]

const CLOSINGS: readonly string[] = [
  'please',
  'thanks',
  'thank you',
  'for me',
  'right now',
  'now',
  'again',
]

/** Words that say nothing of what is looked for. */
const FILLERS = new Set(
  (
    'a an the my me our your his her its their this that these those some any of for to in on at by with from into ' +
    'about is are be do does it i we you and or have has had was were been here somebody someone something anybody anyone'
  ).split(' '),
)

const byLength = (phrases: readonly string[]): readonly (readonly string[])[] =>
  phrases.map((phrase) => phrase.split(' ')).toSorted((a, b) => b.length - a.length)

const openings = byLength(OPENINGS)
const closings = byLength(CLOSINGS)

/** Splits any text into words: letters and digits of any script, in lower case. */
export function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}

/** The words that say what is meant; all but such as `for` and `of`. */
export function tellingWords(words: readonly string[]): readonly string[] {
  return words.filter((word) => !FILLERS.has(word))
}

/** Takes the shape of a question off a text; where nothing would be left the text is taken as it is. */
export function readQuestion(text: string): Question {
  const all = wordsOf(text.replaceAll(/[’']s\b/gu, '').replaceAll(/[’']/gu, '')).slice(
    0,
    MOST_WORDS,
  )
  const words = withoutShape(all)
  const telling = tellingWords(words)
  const asked = telling.length > 0 ? telling : words
  return { key: words.join('_').toUpperCase(), words, asked: [...new Set(asked)] }
}

function withoutShape(all: readonly string[]): readonly string[] {
  let words = all
  for (;;) {
    const next = withoutEnd(withoutStart(words))
    if (next.length === 0) return words
    if (next.length === words.length) return words
    words = next
  }
}

function withoutStart(words: readonly string[]): readonly string[] {
  const opening = openings.find((phrase) => phrase.every((word, at) => words[at] === word))
  return opening === undefined ? words : words.slice(opening.length)
}

function withoutEnd(words: readonly string[]): readonly string[] {
  const closing = closings.find((phrase) =>
    phrase.every((word, at) => words[words.length - phrase.length + at] === word),
  )
  return closing === undefined ? words : words.slice(0, words.length - closing.length)
}
