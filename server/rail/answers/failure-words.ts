// What a person reads of a failure on a card that is not in English: what has happened, for whoever pressed Confirm. What agents
// are told of it (`server/errors/table.ts`) is in English in every answer. On such a card nothing of that stands but quotations,
// of what a tool, an operator or a schema says.
import { cardWords, fill, quotation } from '../../cards/card-words.ts'
import { limitIn } from '../../cards/limit-words.ts'
import type { Words } from '../../cards/words/en.ts'
import type { Failure, RefusalReason } from '../../errors/failure.ts'
import type { WrongArgument } from '../../errors/wrong-argument.ts'
import type { LabelledValue } from '../../model/card.ts'
import type { Failures } from '../../tools/contract.ts'

/** A failure as a card tells it. */
interface Told {
  /** What the alert says. */
  readonly title: string
  readonly text?: string | undefined
  /** What somebody else says of it: apart from our sentences, because it may be read from the other side. */
  readonly said?: readonly LabelledValue[]
}

/** In which language it is told, and the failures that its tool declares. */
export interface Teller {
  readonly language: string
  readonly failures: Failures
}

interface Telling extends Teller {
  readonly words: Words
}

/** What a person reads of a failure. */
export function toldFailure(failure: Failure, teller: Teller): Told {
  const row = rows[failure.kind] as (of: Failure, telling: Telling) => Told
  return row(failure, { ...teller, words: cardWords(teller.language) })
}

/** What is allowed in a place, for a person: what only a schema or a tool has words for is quoted. */
export function allowedIn(language: string, { allowed, limit }: Pick<WrongArgument, 'allowed' | 'limit'>): string {
  if (limit !== undefined) return limitIn(language, limit)
  return language === 'en' ? allowed : quotation(language, allowed)
}

/** The words of somebody else with their label; nothing where they said nothing. */
const quoting = ({ words, language }: Telling, label: 'answer' | 'reason', text = ''): Pick<Told, 'said'> =>
  text.trim() === ''
    ? {}
    : { said: [{ label: words[label], value: { kind: 'text', text: quotation(language, text) } }] }

const asCode = (label: string, text: string): Pick<Told, 'said'> => ({
  said: [{ label, value: { kind: 'code', text } }],
})

const incidentOf = ({ words }: Telling, { incident }: { readonly incident: string }): string =>
  fill(words.incident, incident)

const inSeconds = ({ language }: Telling, seconds: number): string =>
  new Intl.RelativeTimeFormat(language).format(seconds, 'second')

/** What the contract lets a person read of a failure of this code. */
export function saysOf({ failures, language }: Teller, code: string): string | undefined {
  const says = Object.hasOwn(failures, code) ? failures[code]?.says : undefined
  return says !== undefined && Object.hasOwn(says, language) ? says[language] : undefined
}

function unknownTitle(effect: 'partial' | 'unknown' | undefined, reported: string | undefined): keyof Words {
  if (reported !== undefined) return 'failReported'
  return effect === 'partial' ? 'failPartly' : 'failUnknown'
}

const refusals: Readonly<Record<RefusalReason, keyof Words>> = {
  unknown: 'failNoPreview',
  malformed: 'failNoPreview',
  reference: 'failNoClick',
  cancelled: 'failCancelled',
  rejected: 'failRejected',
  revoked: 'failRevoked',
  expired: 'failExpired',
  superseded: 'failReplaced',
  failed: 'failUsed',
  stale: 'stale',
}

const rows: {
  readonly [Kind in Failure['kind']]: (failure: Extract<Failure, { readonly kind: Kind }>, telling: Telling) => Told
} = {
  'unknown-tool': (_, { words }) => ({ title: words.failNoTool }),
  'invalid-arguments': (_, { words }) => ({ title: words.failArguments }),
  'unstable-contract': (_, { words }) => ({ title: words.failUnstable }),
  'not-permitted': ({ missing }, { words }) => ({
    title: words.failNotAllowed,
    ...asCode(words.lacking, missing.join(', ')),
  }),
  'too-many-calls': ({ retryAfterSeconds }, telling) => ({
    title: fill(telling.words.failTooMany, inSeconds(telling, retryAfterSeconds)),
  }),
  'plan-refused': ({ reason, detail }, telling) => ({
    title: telling.words[refusals[reason]],
    ...quoting(telling, 'reason', detail),
  }),
  intent: ({ message }, telling) => ({ title: telling.words.failIntent, ...quoting(telling, 'answer', message) }),
  frozen: ({ reason }, telling) => ({ title: telling.words.failFrozen, ...quoting(telling, 'reason', reason) }),
  mismatch: (_, { words }) => ({ title: words.mismatch }),
  stale: (_, { words }) => ({ title: words.stale }),
  'proof-missing': (_, { words }) => ({ title: words.failNoClick }),
  'outcome-unknown': ({ said, reported }, telling) => ({
    title: telling.words[unknownTitle(said?.effect, reported)],
    // What it has left behind is not known; what the contract and the tool say of it stands beside that.
    ...(said === undefined ? {} : { text: saysOf(telling, said.code), ...quoting(telling, 'answer', said.message) }),
  }),
  'tool-failed': ({ code, message }, telling) => ({
    title: saysOf(telling, code) ?? telling.words.failTool,
    ...quoting(telling, 'answer', message),
  }),
  'tool-crashed': (failure, telling) => ({ title: telling.words.failCrashed, text: incidentOf(telling, failure) }),
  'bad-output': (_, { words }) => ({ title: words.failBadAnswer }),
  'store-unavailable': (failure, telling) => ({
    title: failure.uncertain === true ? telling.words.failStoreUnsure : telling.words.failStore,
    text: incidentOf(telling, failure),
  }),
  'server-unavailable': ({ retryAfterSeconds }, telling) => ({
    title: fill(telling.words.failServer, inSeconds(telling, retryAfterSeconds)),
  }),
  'login-needed': ({ command }, { words }) => ({ title: words.failLogin, ...asCode(words.command, command) }),
  'not-your-card': (_, { words }) => ({ title: words.failNoPreview }),
  internal: (failure, telling) => ({ title: telling.words.failInternal, text: incidentOf(telling, failure) }),
}
