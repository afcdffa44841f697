// Nine of ten tools in the wild say nothing of what they do, and some say too little. Their names do: `delete_repo`
// deletes. This table only ever raises a risk, and each raise says why. A new verb goes here, a noun into `subjects.ts`.
import { ambiguous, convertible, resolvable, runnable } from './ambiguous-verbs.ts'
import type { Operation, Risk } from '../../model/risk.ts'

interface VerbClass {
  readonly risk: Risk
  /** The operation that such a verb is at least. */
  readonly operation: Operation
  /** Completes "Its name begins with "delete": it …". */
  readonly does: string
  /** It makes something new, and touches nothing that is there. */
  readonly creates?: true
  /** It says no more than that a program runs. */
  readonly runs?: true
  /** A server that says "read-only" is believed against these. */
  readonly yieldsToReadOnly?: true
}

const deleting: VerbClass = { risk: 'critical', operation: 'destructive', does: 'deletes' }
const sending: VerbClass = { risk: 'critical', operation: 'write', does: 'sends something to others' }
const paying: VerbClass = { risk: 'critical', operation: 'write', does: 'moves money or goods' }
const granting: VerbClass = { risk: 'critical', operation: 'write', does: 'changes who may do what' }
const overwriting: VerbClass = { risk: 'high', operation: 'destructive', does: 'overwrites what is there' }
const moving: VerbClass = { risk: 'high', operation: 'destructive', does: 'moves what is there' }
const running: VerbClass = {
  risk: 'high',
  operation: 'destructive',
  does: 'runs whatever its arguments say',
  runs: true,
  yieldsToReadOnly: true,
}
const halting: VerbClass = { risk: 'high', operation: 'write', does: 'changes what runs' }
const deciding: VerbClass = { risk: 'high', operation: 'write', does: 'decides or completes something' }
const connecting: VerbClass = { risk: 'high', operation: 'write', does: 'opens a way in, which may stay open' }
const acting: VerbClass = { risk: 'high', operation: 'write', does: 'acts on something', yieldsToReadOnly: true }
const creating: VerbClass = { risk: 'medium', operation: 'write', does: 'creates something', creates: true }

const words: readonly (readonly [VerbClass, string])[] = [
  [deleting, 'delete del remove rm destroy drop purge erase wipe truncate uninstall terminate kill unlink trash clear'],
  [deleting, 'deprovision decommission discard flush expunge'],
  [sending, 'send reply publish unpublish tweet notify broadcast invite announce dispatch submit deliver'],
  [paying, 'pay refund purchase buy transfer withdraw payout donate sell'],
  [granting, 'grant revoke authorize authorise approve permit promote demote ban unban impersonate unshare'],
  [granting, 'allow protect unprotect'],
  [
    overwriting,
    'update edit modify overwrite write set replace patch put reset restore revert rollback rewrite upsert',
  ],
  [overwriting, 'alter configure merge apply deploy undeploy enable disable unarchive reopen unlock cancel'],
  [overwriting, 'stop restart reboot shutdown rotate'],
  [moving, 'move mv rename push migrate swap reorder reassign relocate'],
  [running, 'execute exec eval run invoke interact'],
  [
    halting,
    'pause unpause resume suspend hibernate halt freeze activate deactivate scale resize drain cordon uncordon',
  ],
  [deciding, 'confirm accept decline reject dismiss finalize finalise'],
  [acting, 'process handle trigger perform complete launch'],
  [creating, 'create add insert append upload duplicate clone register save import attach assign subscribe integrate'],
  [creating, 'unsubscribe follow commit init install provision spawn allocate reserve'],
]

/** Verbs at the start of a name or behind one word that says whose tool it is; further on they are mostly nouns. */
const firstOnly: readonly (readonly [VerbClass, string])[] = [
  [sending, 'post message email mail dm sms forward'],
  [paying, 'order checkout charge trade invoice'],
  [granting, 'share'],
  [connecting, 'connect authenticate'],
  [overwriting, 'change archive close lock force'],
  [overwriting, 'mark acknowledge ack consume dequeue snooze'],
  [creating, 'new make copy fork schedule book store comment star start draft record'],
]

/** What a second word that may be a verb means behind this first one: a thing, or work that stays on this machine. */
const compounds =
  'git_checkout svn_checkout app_store play_store key_store work_order sort_order climate_change brute_force whats_new ' +
  'address_book phone_book'

const harmless =
  'get list read search find fetch query show describe view check count lookup retrieve browse look inspect explain ' +
  'analyze analyse compare validate verify preview download export summarize summarise calculate compute convert ' +
  'translate think ping watch monitor scan echo is has can extract parse resolve render'

/** Of the above, those that a tool without annotations may lead with and count as a read. */
const sure =
  'get list read search find fetch query show describe view check count lookup retrieve browse look inspect explain ' +
  'analyze analyse compare validate preview summarize summarise calculate translate think scan echo is has can parse head ' +
  'tail stat estimate diff discover locate scrape enumerate wait rerank detect geocode forecast predict research hover scroll audit assess measure'

/** Reading verbs that are no nouns: what stands before them says whose tool it is, if it is no verb. */
const plainly = new Set('get describe retrieve find research geocode fetch summarize summarise calculate'.split(' '))

/** Verbs that are no nouns: wherever they stand in a name, the tool does that. `get_post` reads a post. */
const neverNouns =
  'delete remove destroy erase purge wipe truncate kill write overwrite edit modify replace send execute create insert ' +
  'append upload grant revoke'

/** Verbs long enough to be recognised at the start of a word that was written together: `deleterepo`. */
const longVerbs =
  'delete remove destroy create update insert replace overwrite execute publish transfer withdraw purchase uninstall ' +
  'terminate truncate deploy restart'

const table = new Map(words.flatMap(([kind, list]) => list.split(' ').map((word) => [word, kind] as const)))
const openers = new Map(firstOnly.flatMap(([kind, list]) => list.split(' ').map((word) => [word, kind] as const)))
const reading = new Set(harmless.split(' '))
const surelyReading = new Set(sure.split(' '))
const anywhere = new Set(neverNouns.split(' '))
const joined = longVerbs.split(' ')
/** Verbs that a flag of yes or no may open with, beside those that are no nouns. */
const flags = new Set(
  (
    'update apply save submit publish commit merge remove set mark acknowledge ack consume dequeue snooze archive clear ' +
    'reset expunge flush notify reply forward unsubscribe dismiss cancel approve accept reject confirm pay refund ' +
    'purchase buy install uninstall deploy restart reboot drop del rm run'
  ).split(' '),
)
/** Verbs that an argument of any other type may open with; most of the above are nouns there (`commit: "1f3a"`). */
const valued = new Set('save update mark acknowledge ack clear reset archive expunge flush'.split(' '))
/** Last words of an argument that only speaks of an action: `update_time`. */
const aboutActions = new Set(
  'id ids name names type types time date at by status sha ref hash size distance concern count limit mode version format'.split(
    ' ',
  ),
)
/** What may stand before the verb of a flag: `auto_delete`. `include_deletes` deletes nothing. */
const beforeFlags = new Set('auto and then also should do force will with'.split(' '))
/** Of these, such behind which any verb is one. */
const announcing = new Set('auto and then also do'.split(' '))
/** Beside nouns, verbs behind which "to" or "with" says whom: `email_to`. */
const addressing = new Set('email mail send share forward post reply notify publish message sms'.split(' '))
/** Where somebody else is told: `webhook_url`. */
const told = new Set('webhook callback'.split(' '))
/** What is written beside the answer: `output_path`, `saveFile`. */
const written = new Set('output out save dest destination download'.split(' '))
const places = new Set('file filename path filepath dir directory folder'.split(' '))
/** Right behind a reading verb these are a second action. */
const seconds = new Set('set put ack acknowledge'.split(' '))
const nouns = new Set(compounds.split(' '))

export interface FoundVerb extends VerbClass {
  readonly verb: string
}

/**
 * The leading verb of a tool's name, if it raises the risk. A prefix that is no verb (`github_delete_repo`,
 * `playwright_put`) is passed over; a reading verb in front ends the search (`list_deleted_files`).
 */
export function leadingVerb(tool: string): FoundVerb | undefined {
  const parts = wordsOf(tool)
  for (const [index, verb] of parts.entries()) {
    if (verb === 'run' && runnable.has(parts.at(-1) ?? '')) continue
    // "find_and_replace", "get_or_create": the second half is what it does.
    if (reading.has(verb) && !isJoint(parts[index + 1])) return undefined
    const kind = table.get(verb) ?? (opens(parts, index) ? openers.get(verb) : undefined)
    if (kind !== undefined) return { ...kind, verb }
    const front = joined.find((long) => verb.startsWith(long) && verb.length >= long.length + 4)
    const long = front === undefined ? undefined : table.get(front)
    if (front !== undefined && long !== undefined) return { ...long, verb: front }
  }
  return undefined
}

/**
 * What a verb of a sentence does: `update`, `updates`. `opening`: it stands where only a verb can, so that words which
 * are mostly nouns ("orders", "news") count as well.
 */
export function verbClass(word: string, opening = false): FoundVerb | undefined {
  for (const verb of baseForms(word)) {
    const kind = table.get(verb) ?? (opening ? openers.get(verb) : undefined)
    // Prose "processes results" and "performs a search"; such verbs say nothing.
    if (kind !== undefined && kind !== acting) return { ...kind, verb }
  }
  return undefined
}

/**
 * What an argument of this name does when it is set: `delete: true`, `overwriteExisting`, `purge_after: "now"`,
 * `ids_to_delete: […]`. `type`: of its value, as JSON Schema or `typeof` names it.
 */
export function flagVerb(name: string, type: string): FoundVerb | undefined {
  const parts = wordsOf(name)
  const [first = '', second = ''] = parts
  const opening = beforeFlags.has(first) ? second : first
  const meant = parts.find((part, at) => parts[at - 1] === 'to' && anywhere.has(part))
  const last = parts.at(-1) ?? ''
  const isAction =
    anywhere.has(opening) ||
    (type === 'boolean' ? flags.has(opening) : valued.has(opening) || (type === 'object' && opening === 'set'))
  const verb = meant ?? (isAction && (type === 'boolean' || !aboutActions.has(last)) ? opening : undefined)
  const kind = verb === undefined ? undefined : (table.get(verb) ?? openers.get(verb))
  return verb === undefined || kind === undefined ? besides(parts, type) : { ...kind, verb }
}

/** What is done to a file that an argument names, where its description says so: "Filename to save the log to". */
export const writesFile = (name: string, description: string): FoundVerb | undefined =>
  isOnDisk(name) &&
  /\b(?:sav(?:e|es|ed|ing)|writ(?:e|es|ten|ing)|dump(?:s|ed)?|export(?:s|ed)?|download(?:s|ed)?)\b/i.test(description)
    ? { ...overwriting, verb: 'save' }
    : undefined

/** Whether an argument of this name says where on disk. */
export const isOnDisk = (name: string): boolean => places.has(wordsOf(name).at(-1) ?? '')

/** What an argument says without a verb that opens it, or with one that is mostly a noun. */
function besides(parts: readonly string[], type: string): FoundVerb | undefined {
  const [first = '', second = ''] = parts
  const last = parts.at(-1) ?? ''
  const announced = announcing.has(first) ? table.get(second) : undefined
  if (announced !== undefined) return { ...announced, verb: second }
  if (type === 'boolean' || parts.length < 2) return undefined
  const sends = addressing.has(first) && ['to', 'with'].includes(last)
  if (sends || (parts.some((part) => told.has(part)) && ['url', 'uri'].includes(last)))
    return { ...sending, verb: first }
  return written.has(first) && places.has(last) ? { ...overwriting, verb: first } : undefined
}

/** Whether a word says that something is read: `list`, `Lists`. */
export const isReading = (word: string): boolean => baseForms(word).some((verb) => surelyReading.has(verb))

/**
 * The reading verb by which a tool may count as a read although its server says nothing, and whether the name alone
 * says so; nothing where any other word acts. `besides`: more words that read here.
 */
export function readingVerb(
  tool: string,
  besides: readonly string[] = [],
): { readonly verb: string; readonly suffices: boolean } | undefined {
  const parts = wordsOf(tool)
  const reads = (part: string, at: number): boolean =>
    surelyReading.has(part) ||
    (part === 'convert' && convertible.has(singular(parts[at + 1] ?? ''))) ||
    (part === 'resolve' && resolvable.has(parts.at(-1) ?? '')) ||
    (part === 'run' && runnable.has(parts.at(-1) ?? '')) ||
    besides.includes(part)
  const at = parts.findIndex(reads)
  const verb = parts[at]
  if (verb === undefined || actsBesides(tool)) return undefined
  if (verb === 'check' && ['in', 'out', 'off'].includes(parts[at + 1] ?? '')) return undefined
  const [before, after] = [parts.slice(0, at), parts.slice(at + 1)]
  // A list of things is read, and a list may be one itself: `todo_list_clear`.
  const ofThings = verb === 'list' && parts.at(-1)?.endsWith('s') === true && !after.some(mayAct)
  const names = plainly.has(verb) || ofThings
  return { verb, suffices: at === 0 || (names && !before.some(mayAct)) }
}

/**
 * Whether a name is that of a thing (`pg_info`, `current_time`): no word of it is, or may be, a verb of any kind. A word
 * that may be one is a noun where the tool reads it: `repo_branch` that "retrieves branch data".
 */
export const namesThing = (tool: string, object: readonly string[]): boolean =>
  !actsBesides(tool) &&
  wordsOf(tool).every(
    (part) =>
      surelyReading.has(part) ||
      object.some((word) => singular(word) === singular(part)) ||
      !(mayAct(part) || reading.has(part)),
  )

const mayAct = (word: string): boolean => ambiguous.has(word) || table.has(word) || openers.has(word)

/** Whether a word of a name acts, wherever it stands. */
function actsBesides(tool: string): boolean {
  const parts = wordsOf(tool)
  if (leadingVerb(tool) !== undefined || parts.some((part) => anywhere.has(part))) return true
  // "settings_get_set" does both.
  if (parts.some((part, index) => seconds.has(part) && isReading(parts[index - 1] ?? ''))) return true
  // "read_and_acknowledge": what follows is a second action, known to us or not.
  return parts.some((part, index) => isJoint(part) && !isReading(parts[index + 1] ?? ''))
}

const singular = (word: string): string => word.replace(/(?<!s)s$/, '')

const isJoint = (word: string | undefined): boolean => word === 'and' || word === 'or' || word === 'then'

/** The word itself, and without the ending of the third person. */
const baseForms = (word: string): readonly string[] => [
  word,
  ...(word.endsWith('ies') ? [`${word.slice(0, -3)}y`] : []),
  ...(word.endsWith('es') ? [word.slice(0, -2)] : []),
  ...(word.endsWith('s') ? [word.slice(0, -1)] : []),
]

/** Whether a word stands where it is the verb: `post_message`, `slack_post_message`, `search_and_book`. */
function opens(parts: readonly string[], index: number): boolean {
  if (reading.has(parts[index + 1] ?? '')) return false
  if (isJoint(parts[index - 1])) return true
  return index === 0 || (index === 1 && !nouns.has(`${parts[0]}_${parts[1]}`))
}

/** `deleteRepo`, `delete-repo`, `repo.delete` and `GitHub_DELETE` as lower-case words. */
export const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/(?<![A-Z])([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '')
