// What an argument does by its own name, whatever its tool is called: `delete: true`, `email_to`, `output_path`.
import { actingVerbs, neverNouns, openingVerbs, overwriting, paying, sending, type FoundVerb } from './verbs.ts'
import { wordsOf } from './words.ts'

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
/** Last words of an argument that is a payment; others are about one: `payment_id`. */
const paid = new Set('tx txid transaction signature proof header receipt'.split(' '))
/** What is written beside the answer: `output_path`, `saveFile`. */
const written = new Set('output out save dest destination download'.split(' '))
/** Whose path is no path of this machine. */
const sources = new Set('remote artifact source src repo repository blob object bucket archive'.split(' '))
const places = new Set('file filename path filepath dir directory folder'.split(' '))

/**
 * What an argument of this name does when it is set: `delete: true`, `overwriteExisting`, `purge_after: "now"`,
 * `ids_to_delete: […]`. `type`: of its value, as JSON Schema or `typeof` names it.
 */
export function flagVerb(name: string, type: string): FoundVerb | undefined {
  const parts = wordsOf(name)
  const [first = '', second = ''] = parts
  const opening = beforeFlags.has(first) ? second : first
  const meant = parts.find((part, at) => parts[at - 1] === 'to' && neverNouns.has(part))
  const last = parts.at(-1) ?? ''
  const isAction =
    neverNouns.has(opening) ||
    (type === 'boolean' ? flags.has(opening) : valued.has(opening) || (type === 'object' && opening === 'set'))
  const verb = meant ?? (isAction && (type === 'boolean' || !aboutActions.has(last)) ? opening : undefined)
  const kind = verb === undefined ? undefined : (actingVerbs.get(verb) ?? openingVerbs.get(verb))
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

/** Whether it may be where an answer is put; `remotePath` and `artifact_path` are where it comes from. */
export const mayBePutInto = (name: string): boolean =>
  isOnDisk(name) &&
  !wordsOf(name)
    .slice(0, -1)
    .some((word) => sources.has(word))

/** What an argument says without a verb that opens it, or with one that is mostly a noun. */
function besides(parts: readonly string[], type: string): FoundVerb | undefined {
  const [first = '', second = ''] = parts
  const last = parts.at(-1) ?? ''
  const announced = announcing.has(first) ? actingVerbs.get(second) : undefined
  if (announced !== undefined) return { ...announced, verb: second }
  if (type === 'boolean' || parts.length < 2) return undefined
  const sends = addressing.has(first) && ['to', 'with'].includes(last)
  if (sends || (parts.some((part) => told.has(part)) && ['url', 'uri'].includes(last)))
    return { ...sending, verb: first }
  // A payment that goes along with a call pays for it: `payment_tx`.
  if (parts.includes('payment') && paid.has(last)) return { ...paying, verb: 'payment' }
  return written.has(first) && places.has(last) ? { ...overwriting, verb: first } : undefined
}
