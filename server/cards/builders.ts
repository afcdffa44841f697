// Builders of the cards that every tool gets without writing one. Each answers a card document that its schema has parsed,
// so that a mistake is an error with a path and never an empty iframe.
// Longer than 300 lines, because every member has the sentence that the reference of the API is made of.
import type { Card, CardAction, CardBlock, CardChange, CardRisk, CardState, LabelledValue } from '../model/card.ts'
import type { CardEdits } from '../model/card-edits.ts'
import { cardSchema } from './card.schema.ts'
import { cardWords } from './card-words.ts'
import { confirmTone } from './confirm-tone.ts'

/** A card document that its own schema refuses; `message` names the place and the problem. */
export class CardError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'CardError'
  }
}

/**
 * Checks a card document.
 * @throws {CardError} naming the path of the first problems.
 */
export function parseCard(card: Card): Card {
  const parsed = cardSchema.safeParse(card)
  if (parsed.success) return card
  const problems = parsed.error.issues.slice(0, 5).map((issue) => `${issue.path.join('.') || 'card'}: ${issue.message}`)
  throw new CardError(`This card is not valid: ${problems.join('; ')}.`)
}

/** What stands at the head of a card. */
interface Identity {
  /** Wire name of the tool. */
  readonly tool: string
  /** What the card's words are written in; English when absent. */
  readonly language?: string | undefined
  /** Name of the server. */
  readonly source: string
  /** Verb, object, name. */
  readonly title: string
  /** What stands smaller below the title. */
  readonly subtitle?: string | undefined
  /** A small picture, as a `data:` address. */
  readonly icon?: string | undefined
}

/** A sentence that stands out, with what it means. */
export interface Alert {
  /** What is wrong, first and in bold. */
  readonly title: string
  /** What it means. */
  readonly text?: string | undefined
}

const alert = (severity: Extract<CardBlock, { kind: 'alert' }>['severity'], { title, text }: Alert): CardBlock => ({
  kind: 'alert',
  severity,
  title,
  ...(text === undefined ? {} : { text }),
})

const when = <T>(list: readonly T[] | undefined, block: (list: readonly T[]) => CardBlock): CardBlock[] =>
  list === undefined || list.length === 0 ? [] : [block(list)]

const head = (
  card: Identity,
): Pick<Card, 'version' | 'language' | 'tool' | 'source' | 'title' | 'subtitle' | 'icon'> => ({
  version: 1,
  ...(card.language === undefined || card.language === 'en' ? {} : { language: card.language }),
  tool: card.tool,
  source: card.source,
  title: card.title,
  ...(card.subtitle === undefined ? {} : { subtitle: card.subtitle }),
  ...(card.icon === undefined ? {} : { icon: card.icon }),
})

/** What a preview card is made of. */
export interface PreviewFacts extends Identity {
  /** How risky the call is. */
  readonly risk: CardRisk
  /** The agent's rationale. */
  readonly claim?: string | undefined
  /** What differs: old beside new. */
  readonly changes?: readonly CardChange[] | undefined
  /** What stays, folded away. */
  readonly unchanged?: readonly LabelledValue[] | undefined
  /** Further blocks of the body. */
  readonly blocks?: readonly CardBlock[] | undefined
  /** What follows, each as a sentence. */
  readonly effects?: readonly string[] | undefined
  /** Shown first: why this preview came instead of a result. */
  readonly notices?: readonly Alert[] | undefined
  /** What somebody should know first. */
  readonly warnings?: readonly Alert[] | undefined
  /** Without `plan` there is nothing to confirm: `blocked` says why. */
  readonly blocked?: Alert | undefined
  /** The plan that its button confirms. */
  readonly plan?: { readonly id: string; readonly ticket: string; readonly expires_in_ms: number } | undefined
  /** The text of the button. */
  readonly confirmLabel: string
  /** What must be typed before Confirm is enabled. */
  readonly confirmPhrase?: string | undefined
  /** The message that Confirm sends. */
  readonly applyText?: string | undefined
  /** The message that Cancel sends. */
  readonly cancelText?: string | undefined
  /** The message that asks for a new preview. */
  readonly previewText?: string | undefined
  /** What the person has changed of it, said before everything else of the call. */
  readonly revision?: readonly CardBlock[] | undefined
  /** What of the call may be changed. */
  readonly edits?: CardEdits | undefined
}

/** The card of a preview: identity, what changes, what follows, the decision. */
export function previewCard(facts: PreviewFacts): Card {
  const { shown, folded } = foldedLast(facts.blocks ?? [])
  const plan = facts.blocked === undefined ? facts.plan : undefined
  const actions: CardAction[] = []
  if (plan !== undefined && facts.cancelText !== undefined)
    actions.push(decision('cancel', 'Cancel', 'plain', 'cancelled', facts.cancelText))
  if (plan !== undefined && facts.applyText !== undefined)
    actions.push(decision('confirm', facts.confirmLabel, confirmTone(facts.risk), 'pending', facts.applyText))
  if (facts.previewText !== undefined) actions.push(previewAction('Preview again', facts.previewText))
  return parseCard({
    ...head(facts),
    kind: 'preview',
    risk: facts.risk,
    ...(facts.claim === undefined ? {} : { claim: facts.claim }),
    blocks: [
      ...(facts.notices ?? []).map((notice) => alert('warning', notice)),
      ...(facts.blocked === undefined ? [] : [alert('block', facts.blocked)]),
      ...(facts.revision ?? []),
      ...when(facts.changes, (changes) => ({
        kind: 'diff',
        changes,
        ...(facts.unchanged === undefined ? {} : { unchanged: facts.unchanged }),
      })),
      ...shown,
      ...(facts.warnings ?? []).map((warning) => alert('warning', warning)),
      ...when(facts.effects, (effects) => ({ kind: 'effects', effects })),
      ...folded,
    ],
    actions,
    state: facts.blocked === undefined ? 'ready' : 'blocked',
    ...(facts.confirmPhrase === undefined || plan === undefined ? {} : { confirm_phrase: facts.confirmPhrase }),
    ...(plan === undefined ? {} : { plan }),
    ...(plan === undefined || facts.edits === undefined ? {} : { edits: facts.edits }),
  })
}

/** What stands at the end of a preview and may stay folded is about the call, not of it: warnings and effects come before. */
function foldedLast(blocks: readonly CardBlock[]) {
  const end = blocks.findLastIndex((block) => block.kind !== 'details' || block.applied !== false) + 1
  return { shown: blocks.slice(0, end), folded: blocks.slice(end) }
}

/** A button that decides: it changes the card's state and sends a message. */
const decision = (
  role: 'cancel' | 'confirm',
  label: string,
  tone: CardAction['tone'],
  state: CardState,
  text: string,
): CardAction => ({
  role,
  label,
  tone,
  steps: [
    { do: 'SetState', state },
    { do: 'SendMessage', text },
  ],
})

/** A button that asks for a fresh preview and confirms nothing. */
const previewAction = (label: string, text: string): CardAction => ({
  role: 'other',
  label,
  tone: 'plain',
  steps: [{ do: 'SendMessage', text }],
})

/**
 * The card that an approver sees: the preview without its buttons. It is stored with the approval and read long after the
 * decision, so it says nothing about the state of either.
 */
export function approvalCard(facts: PreviewFacts): Card {
  return parseCard({
    ...previewCard({ ...facts, plan: undefined, previewText: undefined }),
    kind: 'approval',
    actions: [],
    state: 'info',
    ...(facts.confirmPhrase === undefined || facts.blocked !== undefined
      ? {}
      : { confirm_phrase: facts.confirmPhrase }),
  })
}

/** The approval's card in the requester's chat while it waits, headed by where the decision is made. */
export const waitingCard = (approval: Card, asks: string): Card => {
  const { confirm_phrase: _, ...card } = approval
  const where = alert('info', { title: 'A person outside this chat decides.', text: asks })
  return parseCard({ ...card, blocks: [where, ...card.blocks] })
}

/** What the card of a success is made of. */
export interface SuccessFacts extends Identity {
  /** Its body, from top to bottom. */
  readonly blocks?: readonly CardBlock[] | undefined
  /** Addresses to go on to. */
  readonly links?: readonly { readonly label: string; readonly url: string }[] | undefined
  /** What is said first. */
  readonly notices?: readonly Alert[] | undefined
  /** What ran failed by its own account. */
  readonly failed?: boolean | undefined
  /** The plan that it is the result of. */
  readonly planId?: string | undefined
  /** Who agreed to it, and when. */
  readonly signed?: string | undefined
  /** Offered as new previews, never run by themselves: Undo, say. */
  readonly offers?: readonly { readonly label: string; readonly text: string }[] | undefined
  /** What it began goes on, and the card asks how. */
  readonly follow?: boolean | undefined
  /** ISO 8601 with zone. */
  readonly at: string
}

/** Whether a step failed, was not run or is not known: then the whole is `partial`, not `applied`. */
const isIncomplete = (block: CardBlock): boolean =>
  block.kind === 'details'
    ? (block.blocks ?? []).some(isIncomplete)
    : block.kind === 'steps' &&
      block.steps.some(({ state }) => state === 'failed' || state === 'not-run' || state === 'unknown')

/** The card of a success: what really happened. */
export function successCard(facts: SuccessFacts): Card {
  return parseCard({
    ...head(facts),
    kind: 'success',
    blocks: [
      ...(facts.notices ?? []).map((notice) => alert('info', notice)),
      ...(facts.blocks ?? []),
      ...when(facts.links, (links) => ({ kind: 'links', links: [...links] })),
    ],
    actions: (facts.offers ?? []).map(({ label, text }) => previewAction(label, text)),
    state: facts.failed === true ? 'failed' : (facts.blocks ?? []).some(isIncomplete) ? 'partial' : 'applied',
    ...(facts.signed === undefined ? {} : { signed: facts.signed }),
    ...(facts.planId === undefined ? {} : { plan_id: facts.planId }),
    ...(facts.follow === true ? { follow: true } : {}),
    at: facts.at,
  })
}

/** The card of a call that only read: there is nothing to confirm, and nothing has changed. */
export const infoCard = ({ at, ...facts }: Pick<SuccessFacts, 'blocks' | 'at'> & Identity): Card =>
  parseCard({ ...head(facts), kind: 'info', blocks: [...(facts.blocks ?? [])], actions: [], state: 'info', at })

/** What the card of an error is made of. */
export interface ErrorFacts extends Identity {
  /** The code, for machines. */
  readonly code: string
  /** What happened. */
  readonly message: string
  /** Why. */
  readonly cause?: string | undefined
  /** What somebody else says of it, each with its label. */
  readonly said?: readonly LabelledValue[] | undefined
  /** What to do, each as a sentence. */
  readonly next: readonly string[]
  /** The wrong arguments. */
  readonly fields?:
    | readonly { readonly pointer: string; readonly received: string; readonly allowed: string }[]
    | undefined
  /** How it stands. */
  readonly state: 'failed' | 'partial' | 'refused' | 'stale' | 'unknown' | 'applying'
  /** The plan that it is the result of. */
  readonly planId?: string | undefined
  /** The message that asks for a new preview. */
  readonly previewText?: string | undefined
  /** When, ISO 8601 with zone. */
  readonly at: string
}

/** The card of an error: what did not happen or may not have, why, and what to do. */
export function errorCard(facts: ErrorFacts): Card {
  const { $field, received, allowed, allArguments } = cardWords(facts.language ?? 'en')
  return parseCard({
    ...head(facts),
    kind: 'error',
    blocks: [
      alert(['unknown', 'partial', 'applying'].includes(facts.state) ? 'warning' : 'danger', {
        title: facts.message,
        text: facts.cause,
      }),
      ...when(facts.said, (fields) => ({ kind: 'fields', fields: [...fields] })),
      ...(facts.fields ?? []).map((field): CardBlock => ({
        kind: 'fields',
        fields: [
          { label: $field, value: { kind: 'code', text: field.pointer === '' ? allArguments : field.pointer } },
          { label: received, value: { kind: 'text', text: field.received } },
          { label: allowed, value: { kind: 'text', text: field.allowed } },
        ],
      })),
      ...when(facts.next, (effects) => ({ kind: 'effects', effects })),
    ],
    actions: facts.previewText === undefined ? [] : [previewAction('Preview again', facts.previewText)],
    state: facts.state,
    ...(facts.planId === undefined ? {} : { plan_id: facts.planId }),
    code: facts.code,
    at: facts.at,
  })
}
