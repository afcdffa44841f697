// Nine of ten tools in the wild say nothing of what they do, and some say too little. Their names do: `delete_repo`
// deletes. This table only ever raises a risk, and each raise says why. A new verb goes here, a noun into `subjects.ts`.
import { baseForms } from './words.ts'
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
export const sending: VerbClass = { risk: 'critical', operation: 'write', does: 'sends something to others' }
export const paying: VerbClass = { risk: 'critical', operation: 'write', does: 'moves money or goods' }
const granting: VerbClass = { risk: 'critical', operation: 'write', does: 'changes who may do what' }
export const overwriting: VerbClass = { risk: 'high', operation: 'destructive', does: 'overwrites what is there' }
const moving: VerbClass = { risk: 'high', operation: 'destructive', does: 'moves what is there' }
export const running: VerbClass = {
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

/** Verbs behind which a word that acts is mostly a noun: `list_deleted_files`. Not all of them only read. */
export const lookingVerbs: ReadonlySet<string> = new Set(
  (
    'get list read search find fetch query show describe view check count lookup retrieve browse look inspect explain ' +
    'analyze analyse compare validate verify preview download export summarize summarise calculate compute convert ' +
    'translate think ping watch monitor scan echo is has can extract parse resolve render'
  ).split(' '),
)

/** Verbs by which a tool may count as a read although its server says nothing. */
export const readingVerbs: ReadonlySet<string> = new Set(
  (
    'get list read search find fetch query show describe view check count lookup retrieve browse look inspect explain ' +
    'analyze analyse compare validate preview summarize summarise calculate translate think scan echo is has can parse head ' +
    'tail stat estimate diff discover locate scrape enumerate wait rerank detect geocode forecast predict research hover scroll audit assess measure explore peek ping whoami recommend see diagnose'
  ).split(' '),
)

/** Verbs that are no nouns: wherever they stand in a name, the tool does that. `get_post` reads a post. */
export const neverNouns: ReadonlySet<string> = new Set(
  (
    'delete remove destroy erase purge wipe truncate kill write overwrite edit modify replace send execute create insert ' +
    'append upload grant revoke'
  ).split(' '),
)

/** Verbs long enough to be recognised at the start of a word that was written together: `deleterepo`. */
export const longVerbs: readonly string[] = (
  'delete remove destroy create update insert replace overwrite execute publish transfer withdraw purchase uninstall ' +
  'terminate truncate deploy restart'
).split(' ')

const byVerb = (classes: typeof words): ReadonlyMap<string, VerbClass> =>
  new Map(classes.flatMap(([kind, list]) => list.split(' ').map((word) => [word, kind] as const)))

export const actingVerbs = byVerb(words)
export const openingVerbs = byVerb(firstOnly)

export interface FoundVerb extends VerbClass {
  readonly verb: string
}

/**
 * What a verb of a sentence does: `update`, `updates`. `opening`: it stands where only a verb can, so that words which
 * are mostly nouns ("orders", "news") count as well.
 */
export function verbClass(word: string, opening = false): FoundVerb | undefined {
  for (const verb of baseForms(word)) {
    const kind = actingVerbs.get(verb) ?? (opening ? openingVerbs.get(verb) : undefined)
    // Prose "processes results" and "performs a search"; such verbs say nothing.
    if (kind !== undefined && kind !== acting) return { ...kind, verb }
  }
  return undefined
}

/** Whether a word says that something is read: `list`, `Lists`. */
export const isReading = (word: string): boolean => baseForms(word).some((verb) => readingVerbs.has(verb))

/** Verbs by which a description says no more than that there is an answer. */
export const answeringVerbs: ReadonlySet<string> = new Set(
  'return returns provide provides display displays gather gathers screenshot extract extracts crawl crawls'.split(' '),
)

/** The verb of "A tool for searching …"; any other word as it is. */
export function ofGerund(word: string): string {
  if (!word.endsWith('ing')) return word
  const stem = word.slice(0, -3)
  const bases = [stem, `${stem}e`, stem.slice(0, -1)]
  return bases.find((base) => isReading(base) || verbClass(base, true) !== undefined) ?? word
}
