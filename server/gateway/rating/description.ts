// Descriptions are prose, and say mostly what somebody else should do: "use delete_page to remove it". Only what a
// sentence says of the tool itself counts: the verb that it opens with, and clauses whose subject is the tool.
import { actsElsewhere, readsElsewhere } from './other-languages.ts'
import { actOnAnswer, goesOn, mayGoOn, secondAct } from './second-verbs.ts'
import { answeringVerbs, isReading, ofGerund, verbClass, type FoundVerb } from './verbs.ts'
import { wordsOf } from './words.ts'

export interface Described {
  /** The first verb, where it reads. */
  readonly reads: string | undefined
  /** Whether it says no more than that: its first sentence has no other verb, known to act or not. */
  readonly plainly: boolean
  /** A verb by which the tool says that it does more than read. */
  readonly acts: FoundVerb | undefined
  /** That verb where the description opens with it, and no tool that only reads does: "Merge polygons" may be a sum. */
  readonly contradicts: FoundVerb | undefined
  /** Whether it says that what it makes is its answer. */
  readonly handsOver: boolean
  /** What the first verb is about, as lower-case words: "a new database user" of "Creates a new database user for …". */
  readonly object: readonly string[]
}

/** Longer descriptions open with what matters. */
const readLength = 4000

/** What stands before the verb of a first sentence. */
const preamble =
  /^(?:(?:(?:this|the|a|an)\s+(?:[\w-]+\s+){0,6}?|(?:primary|main|secondary|alternative|helper|utility)\s+)(?:tool|function|action|endpoint|command|operation|method|call)\s+(?:(?:will|can|is used|lets you|allows you|that|which|for|to)\s+)*|(?:tool|use this(?: tool)?|used|(?:allows|enables|lets)(?: you| users| the user)?|helper)\s+(?:that|for|to)\s+|it\s+(?:will\s+)?|(?:performs?|does|runs?|makes?|executes?)\s+(?:an?\s+)?(?:\w+\s+){0,2}?(?=search|lookup|look-up|quer|report)|(?:takes?|captures?)\s+(?:an?\s+)?(?:[\w-]+\s+){0,2}?(?=screenshot)|\w+ly\s+)+/i

/** What stands above a description, or says how far along the tool is: "Purpose: 1. …", "[Beta] …". */
const heading =
  /^[^\p{L}\p{N}]*(?:(?:purpose|description|overview|summary|function|deprecated|legacy|alpha|beta|experimental|preview|read-?only|readonly|new)(?:\s*[\])}:*]+|\s+[-–—])[\s:*]*(?:\d+[.)]\s*)?)+/iu

/** For whom it is: "🔒 Pro — View …". */
const planned =
  /^[^\p{L}]*(?:free|plus|pro|premium|team|business|enterprise|paid|admin)(?: (?:only|plan|tier))? *[—–:|-] */iu

const clauseOpening =
  /(?<!\b(?:not|never|don't) )\b(?:it|this|this tool|the tool|also|automatically|permanently|irreversibly|immediately)(?: will)?(?: also| then| permanently| immediately)? (?!(?:allow|enable|permit)s? (?:you|users?|the user|agents?)\b)([a-z]+)\b/gi

const handing =
  /\breturn(?:s|ed|ing)?\b[^.]{0,60}\b(?:base64|content|contents|text|data|json|markdown|html|urls?|links?|csv)\b/i

const keeping =
  /\b(?:to|into|onto|in) (?:(?:your|the|a|an|this) )?local (?:\w+ )?(?:projects?|files?|path|disk|drive|directory|folder|machine|computer|repository|workspace)\b|\bto disk\b/i

const finality =
  /(?<!not |non-|never )\b(?:irreversibl[ey]|cannot be undone|can't be undone|can not be undone|permanently (?:delete|remove|erase)[sd]?)\b/i

const notVerbs = new Set(
  'are is were was can will must may should have has of in from for to and or include'.split(' '),
)

/** "Set up …", "Integrate …": what is made ready stays so. */
const setsUp = new Set('set integrate install configure deploy provision enable'.split(' '))

const contradictsReadOnly = ({ risk, verb, runs }: FoundVerb, sentence: string): boolean =>
  risk === 'critical' || setsUp.has(verb) || (runs === true && /\b(?:cli|commands?|scripts?|shell)\b/i.test(sentence))

/** What a description says of its tool. */
export function readDescription(description: string, name = ''): Described {
  const text = description.slice(0, readLength).replace(/\s+/g, ' ').trim().replace(heading, '')
  const [first = '', ...others] = text.split(/(?<=[.!?:]) | - /)
  const opening = withoutName(openingOf(first), wordsOf(name))
  const verb = opening[0] ?? ''
  const reads = opensReading(verb, opening.slice(1))
  const firstActs = checks(verb, opening.slice(1))
    ? verbClass('change', true)
    : reads || notVerbs.has(opening[1] ?? '')
      ? undefined
      : verbClass(verb, true)
  // "Runs a query" says least of all; what else is said counts before it.
  const plainly = firstActs?.runs === true ? undefined : firstActs
  const acts =
    plainly ??
    actsElsewhere(text) ??
    secondAct(first) ??
    actOnAnswer(text) ??
    clauseVerb(text) ??
    laterVerb(others) ??
    keepingVerb(first) ??
    finalVerb(text) ??
    firstActs
  const elsewhere = readsElsewhere(text)
  return {
    reads: acts !== undefined ? undefined : (reads || answeringVerbs.has(verb)) && !goesOn(first) ? verb : elsewhere,
    plainly: acts === undefined && (elsewhere !== undefined || (reads && !mayGoOn(first))),
    acts,
    contradicts: firstActs && contradictsReadOnly(firstActs, first) ? firstActs : undefined,
    handsOver: handing.test(text),
    object: objectOf(opening.slice(1)),
  }
}

/** "Checks out a branch", "Check a checkbox". */
const checks = (verb: string, [next = '', ...others]: readonly string[]): boolean =>
  /^checks?$/.test(verb) &&
  !['if', 'whether', 'that'].includes(next) &&
  (['in', 'out', 'off'].includes(next) ||
    [next, ...others.slice(0, 2)].some((word) => /^(?:check-?box|radio|box|tick|switch|toggle)(?:es|s)?$/.test(word)))

/** "Checks out a branch" is no check, and "Verifies that a file exists" and "Tests the connection" are; "Verifies a domain" may be more. */
function opensReading(verb: string, [next = '', ...others]: readonly string[]): boolean {
  if (checks(verb, [next, ...others])) return false
  return (
    isReading(verb) ||
    (/^(?:verif(?:y|ies)|tests?|determines?)$/.test(verb) && ['whether', 'if', 'that'].includes(next)) ||
    (/^tests?$/.test(verb) && [next, ...others.slice(0, 2)].some((word) => /^connect(?:ion|ivity)$/.test(word)))
  )
}

/** The first sentence as words, from its verb on. */
function openingOf(sentence: string): readonly string[] {
  const bare = sentence
    .replace(/^[^|]{1,40}\|\s*/, '')
    .replace(planned, '')
    .replace(/^[^\p{L}]+/u, '')
    .replace(preamble, '')
  const [verb = '', ...others] = bare.toLowerCase().match(/[\p{L}\p{N}'-]+/gu) ?? []
  return [ofGerund(verb), ...others]
}

/** "Weather Alerts API returns …", of `weather_alerts`, says of itself what it does. */
function withoutName(opening: readonly string[], name: readonly string[]): readonly string[] {
  if (isReading(opening[0] ?? '') || verbClass(opening[0] ?? '', true) !== undefined) return opening
  const at = opening.findIndex((word) => !name.includes(word) && word !== 'api' && word !== 'tool')
  const verb = opening[at] ?? ''
  return at > 0 && verb.endsWith('s') && (isReading(verb) || answeringVerbs.has(verb) || verbClass(verb) !== undefined)
    ? opening.slice(at)
    : opening
}

function clauseVerb(text: string): FoundVerb | undefined {
  for (const [, word = ''] of text.toLowerCase().matchAll(clauseOpening)) {
    const found = isReading(word) ? undefined : verbClass(word)
    if (found !== undefined) return found
  }
  return undefined
}

/** "Enables searches by place", "Accepts a list of names": what becomes possible, and what it takes; not what it does. */
const possible = new Set(['enable', 'allow', 'permit', 'accept'])

/** Later sentences say "Deletes …" of the tool and "Delete …" to whoever calls it. */
function laterVerb(sentences: readonly string[]): FoundVerb | undefined {
  for (const sentence of sentences) {
    const [verb = '', next = '', ...rest] = sentence.toLowerCase().match(/[a-z'-]+/g) ?? []
    if (!verb.endsWith('s') || !/^[A-Z]/.test(sentence) || notVerbs.has(next) || isReading(verb)) continue
    const found = verbClass(verb)
    // "Runs a full search underneath."
    const isSearch =
      found?.runs === true && [next, ...rest.slice(0, 2)].some((word) => /^(?:search|look-?up)/.test(word))
    if (found !== undefined && found.verb !== verb && !possible.has(found.verb) && !isSearch) return found
  }
  return undefined
}

/** "Retrieves metadata to your local project." */
const keepingVerb = (first: string): FoundVerb | undefined => (keeping.test(first) ? verbClass('overwrite') : undefined)

const finalVerb = (text: string): FoundVerb | undefined => (finality.test(text) ? verbClass('delete') : undefined)

const prepositions = new Set(
  'for to in of on with from by at into within using via under as that which who so when where if and or'.split(' '),
)

/** The words up to the first preposition: whom or what the verb is about. */
function objectOf(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word) => prepositions.has(word))
  return words.slice(0, Math.min(end === -1 ? words.length : end, 6))
}
