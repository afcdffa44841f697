// A description that opens with a reading may go on: "Finds a table and books it". What it goes on with need not be a verb
// that we know, so a second verb is looked for by where it stands.
import { mayAct } from './tool-name.ts'
import { actingVerbs, answeringVerbs, isReading, ofGerund, openingVerbs, verbClass, type FoundVerb } from './verbs.ts'
import { alsoThings, ambiguous } from './ambiguous-verbs.ts'
import { baseForms } from './words.ts'

/** "Gets the mail and deletes it": a second verb has an object of its own; "news and updates" has none. */
const secondVerb =
  /(?:&|\b(?:and|or|then),?) (?:then |also )?([a-z]+) (?:it|them|one|the|a|an|all|any|each|every|this|that|these|those)\b/gi

/** "Reads mails, deletes them". */
const listedVerb = /[,;] (?:then |also )?([a-z]+) (?:it|them)\b/gi

/** "Reads mails and archive old ones"; behind a semicolon an imperative is advice: "…; set full=true for all of it". */
const joinedVerb = /(?:(?:&|\b(?:and|then)) (?:then |also )?|; (?:then |also )?(?=[a-z]+s\b))([a-z]+)\b/gi

/** What may be a verb: "Find, lock". */
const nextWord = /(?:[,&/]|\b(?:and|or|then)) (?:then )?([a-z]+)\b/gi

/** "Checks a webhook by sending an event", "…, creating it if needed". */
const gerund = /(?:,|\b(?:by|and|then|while)) ([a-z]+ing)\b/gi

/** "…, marking them as read", "…; marks them as read", in any sentence; "allowing it to …" says what becomes possible. */
const doneToIt =
  /(?:[,;]|\b(?:and|then|while)) (?:then |also )?(?!(?:mak|allow|enabl|permitt)ing)([a-z]+(?:ing|s)) (?:it|them|each)\b/gi

/** "They are deleted afterwards", "Each is removed once read". */
const doneAfterwards =
  /\b(?:is|are|be|gets?) (?:then |also |automatically |permanently )?([a-z]+ed)(?: as (?:read|seen))? (?:afterwards?|(?:once|when|after|upon|on) (?:it (?:is|was) |they (?:are|were) |being )?(?:read|returned|retrieved|retrieval|fetched|fetching|received|receipt|delivered|delivery)(?:ing)?)\b/gi

/** Verbs of the third person that are plurals of nouns: "news and updates". */
const plurals = new Set(
  (
    'updates sets patches resets moves drops runs writes edits merges transfers purchases invites grants permits imports ' +
    'triggers stops restarts commits installs clones registers inserts duplicates uploads handles replies pushes swaps ' +
    'reverts saves starts restores'
  ).split(' '),
)

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
    (word) => actsBare(word) || (!plurals.has(word) && baseForms(word).some(actsBare)),
  )
  for (const word of [...wordsAfter(secondVerb, sentence), ...wordsAfter(listedVerb, sentence), ...bare]) {
    const found = verbClass(word, true)
    if (found !== undefined) return found
  }
  return undefined
}

/** Whether a word is a verb that acts although nothing stands behind it. */
const actsBare = (word: string): boolean => actingVerbs.has(word) || (openingVerbs.has(word) && !nouns.has(word))

/** What a text says, in any of its sentences, is done to what was read. */
export function actOnAnswer(text: string): FoundVerb | undefined {
  const participles = wordsAfter(doneAfterwards, text).flatMap((word) => [word.slice(0, -1), word.slice(0, -2)])
  for (const word of [...wordsAfter(doneToIt, text).map(ofGerund), ...participles]) {
    const found = verbClass(word, true)
    if (found !== undefined && found.runs === undefined) return found
  }
  return undefined
}

const gerundActs = (word: string): boolean => {
  const found = verbClass(ofGerund(word), true)
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
