// A description that opens with a reading may go on: "Finds a table and books it". What it goes on with need not be a verb
// that we know, so a second verb is looked for by where it stands.
import { mayAct } from './tool-name.ts'
import { actingVerbs, answeringVerbs, isReading, ofGerund, openingVerbs, verbClass, type FoundVerb } from './verbs.ts'
import { alsoThings, ambiguous } from './ambiguous-verbs.ts'

/** "Gets the mail and deletes it": a second verb has an object of its own; "news and updates" has none. */
const secondVerb =
  /\b(?:and|or|then),? (?:then )?([a-z]+) (?:it|them|the|a|an|all|any|each|every|this|that|these|those)\b/gi

/** "Reads mails and archive old ones". */
const joinedVerb = /\b(?:and|then) (?:then )?([a-z]+)\b/gi

/** What may be a verb: "Find, lock". */
const nextWord = /(?:[,&/]|\b(?:and|or|then)) (?:then )?([a-z]+)\b/gi

/** "Checks a webhook by sending an event", "…, creating it if needed". */
const gerund = /(?:,|\b(?:by|and|then|while)) ([a-z]+ing)\b/gi

/** Of the verbs that open a name, those that are mostly nouns in a sentence. */
const nouns = new Set(
  'post message email mail dm sms order charge trade invoice comment star draft record book copy'.split(' '),
)

const wordsAfter = (pattern: RegExp, sentence: string): readonly string[] =>
  [...sentence.toLowerCase().matchAll(pattern)]
    .map(([, word = '']) => word)
    .filter((word) => !isReading(word) && !answeringVerbs.has(word))

/** A second verb that we know to act. With an object behind it, one that is mostly a noun is a verb: "and book it". */
export function secondAct(sentence: string): FoundVerb | undefined {
  const bare = wordsAfter(joinedVerb, sentence).filter(
    (word) => actingVerbs.has(word) || (openingVerbs.has(word) && !nouns.has(word)),
  )
  for (const word of [...wordsAfter(secondVerb, sentence), ...bare]) {
    const found = verbClass(word, true)
    if (found !== undefined) return found
  }
  return undefined
}

const gerundActs = (word: string): boolean => {
  const found = verbClass(ofGerund(word))
  return found !== undefined && found.runs === undefined
}

/** Whether a sentence that reads has a second verb, known to act or not. */
export const goesOn = (sentence: string): boolean =>
  secondAct(sentence) !== undefined ||
  wordsAfter(secondVerb, sentence).length > 0 ||
  wordsAfter(joinedVerb, sentence).some((word) => ambiguous.has(word) && !alsoThings.has(word)) ||
  wordsAfter(gerund, sentence).some(gerundActs)

/** Whether it has a word that may be one. */
export const mayGoOn = (sentence: string): boolean => goesOn(sentence) || wordsAfter(nextWord, sentence).some(mayAct)
