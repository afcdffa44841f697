// What a tool's name says that it does: the verb that leads it, or the noun that it is.
import { alsoThings, ambiguous, convertible, resolvable, runnable } from './ambiguous-verbs.ts'
import {
  neverNouns,
  isReading,
  longVerbs,
  openingVerbs,
  lookingVerbs,
  readingVerbs,
  actingVerbs,
  running,
  type FoundVerb,
} from './verbs.ts'
import { isJoint, singular, wordsOf } from './words.ts'

/** What a second word that may be a verb means behind this first one: a thing, or work that stays on this machine. */
const compounds = new Set(
  (
    'git_checkout svn_checkout app_store play_store key_store work_order sort_order climate_change brute_force whats_new ' +
    'address_book phone_book'
  ).split(' '),
)

/** Reading verbs that are no nouns: what stands before them says whose tool it is, if it is no verb. */
const getting = new Set('get describe retrieve find research geocode fetch summarize summarise calculate'.split(' '))

/** Reading verbs behind which a name goes on with what is read: `protect_get_camera`. */
const behindOwners = new Set(['get', 'list', 'describe', 'retrieve', 'fetch', 'find', 'search'])

/** Nouns and verbs alike, of the same reading: `kagi_search`. */
const isSearch = new Set(['search', 'lookup'])

/** Right behind a reading verb these are a second action. */
const seconds = new Set('set put ack acknowledge'.split(' '))

/**
 * The leading verb of a tool's name, if it raises the risk. A prefix that is no verb (`github_delete_repo`,
 * `playwright_put`) is passed over; a reading verb in front ends the search (`list_deleted_files`). `read`: what the tool
 * plainly says that it reads; then such words are nouns where they may be (`order_history`), and what stands before "get"
 * is whose tool it is, a verb or not (`protect_get_camera`; of `import_list` the list is what is imported).
 */
export function leadingVerb(tool: string, read?: readonly string[]): FoundVerb | undefined {
  const parts = wordsOf(tool)
  // In "create_get_and_execute" what stands before "get" is the first of several actions.
  const hasOwner = read !== undefined && parts.length > 2 && behindOwners.has(parts[1] ?? '') && !parts.some(isJoint)
  const from = hasOwner ? 1 : 0
  for (const [index, verb] of parts.entries()) {
    if (index < from) continue
    if (verb === 'run' && runnable.has(parts.at(-1) ?? '')) continue
    // "run_report_and_order": what follows the joint counts as well, and may be worse.
    if (verb === 'run' && parts.some((part, at) => runnable.has(part) && isJoint(parts[at + 1]))) {
      const rest = leadingVerb(parts.slice(index + 1).join('_'), read)
      if (rest === undefined || rest.yieldsToReadOnly === true) return { ...running, verb }
      const { yieldsToReadOnly: _, ...firm } = running
      return rest.risk === 'medium' ? { ...firm, verb } : rest
    }
    // "find_and_replace", "get_or_create": the second half is what it does.
    if (lookingVerbs.has(verb) && !isJoint(parts[index + 1])) return undefined
    const kind =
      actingVerbs.get(verb) ?? (opens(parts, index) && !names(read ?? [], verb) ? openingVerbs.get(verb) : undefined)
    if (kind !== undefined) return { ...kind, verb }
    const front = longVerbs.find((long) => verb.startsWith(long) && verb.length >= long.length + 4)
    const long = front === undefined ? undefined : actingVerbs.get(front)
    if (front !== undefined && long !== undefined) return { ...long, verb: front }
  }
  return undefined
}

/** Whether a word stands where it is the verb: `post_message`, `slack_post_message`, `search_and_book`. */
function opens(parts: readonly string[], index: number): boolean {
  if (lookingVerbs.has(parts[index + 1] ?? '')) return false
  if (isJoint(parts[index - 1])) return true
  return index === 0 || (index === 1 && !compounds.has(`${parts[0]}_${parts[1]}`))
}

/**
 * The reading verb by which a tool may count as a read although its server says nothing, and whether the name alone
 * says so; nothing where any other word acts. `besides`: more words that read here; `read`: as above.
 */
export function readingVerb(
  tool: string,
  besides: readonly string[] = [],
  read?: readonly string[],
): { readonly verb: string; readonly suffices: boolean } | undefined {
  const parts = wordsOf(tool)
  const reads = (part: string, at: number): boolean =>
    readingVerbs.has(part) ||
    (part === 'convert' && convertible.has(singular(parts[at + 1] ?? ''))) ||
    (part === 'resolve' && resolvable.has(parts.at(-1) ?? '')) ||
    (part === 'run' && runnable.has(parts.at(-1) ?? '')) ||
    besides.includes(part)
  const at = parts.findIndex(reads)
  const verb = parts[at]
  if (verb === undefined || actsBesides(tool, read)) return undefined
  if (verb === 'check' && ['in', 'out', 'off', 'box', 'checkbox', 'radio'].includes(parts[at + 1] ?? ''))
    return undefined
  const [before, after] = [parts.slice(0, at), parts.slice(at + 1)]
  // A list of things is read, and a list may be one itself: `todo_list_clear`. So is what is searched, but not a search job.
  const isPlural = (word: string | undefined): boolean => word !== undefined && singular(word) !== word
  const ofThings = verb === 'list' && (isPlural(parts.at(-1)) || (after.length === 0 && isPlural(before.at(-1))))
  const says = getting.has(verb) || (ofThings && !after.some(mayAct)) || (isSearch.has(verb) && after.length === 0)
  return { verb, suffices: at === 0 || (says && !before.some(mayAct)) }
}

/**
 * Whether a name is that of a thing (`pg_info`, `current_time`): no word of it is, or may be, a verb of any kind. A word
 * that may be one is a noun where the tool reads it: `repo_branch` that "retrieves branch data". A weak verb is a noun
 * where two of three hold: it is not in front, it mostly names things, and the tool says `plainly` that it reads. So
 * `map_weather` and `site_sync` may be things, and `sync_users` is none.
 */
export const namesThing = (tool: string, object: readonly string[], plainly: boolean): boolean =>
  !actsBesides(tool, plainly ? object : undefined) &&
  wordsOf(tool).every(
    (part, at) =>
      readingVerbs.has(part) ||
      names(object, part) ||
      (isWeak(part) && [at > 0, alsoThings.has(part), plainly].filter(Boolean).length > 1) ||
      !(mayAct(part) || lookingVerbs.has(part)),
  )

const isWeak = (word: string): boolean =>
  (ambiguous.has(word) || lookingVerbs.has(word)) && !actingVerbs.has(word) && !openingVerbs.has(word)

/** Whether a word is a verb that acts, or may be one. */
export const mayAct = (word: string): boolean => ambiguous.has(word) || actingVerbs.has(word) || openingVerbs.has(word)

/** Whether one of these words is this one, in the singular or the plural. */
const names = (words: readonly string[], noun: string): boolean =>
  words.some((word) => singular(word) === singular(noun))

/** Whether a word of a name acts, wherever it stands. */
function actsBesides(tool: string, read: readonly string[] | undefined): boolean {
  const parts = wordsOf(tool)
  if (leadingVerb(tool, read) !== undefined || parts.some((part) => neverNouns.has(part))) return true
  // "settings_get_set" does both.
  if (parts.some((part, index) => seconds.has(part) && isReading(parts[index - 1] ?? ''))) return true
  // "read_and_acknowledge": what follows is a second action, known to us or not.
  return parts.some((part, index) => isJoint(part) && !isReading(parts[index + 1] ?? ''))
}
