// What a contract's functions answer for a card: the content of a preview and of a success, and calls that a card offers.
import type { CardBlock, CardChange, LabelledValue } from '../model/card.ts'

/** The answer of `preview`: exactly what would change, and what follows from it. */
export interface Preview {
  /** Verb, object, name: "Delete order SO-1042". */
  readonly title: string
  /** What stands smaller below the title. */
  readonly subtitle?: string
  /** A `data:` address of a small PNG or JPEG, shown behind the subtitle. */
  readonly icon?: string
  /** One sentence for the text and the approver. */
  readonly summary: string
  /** What differs: old beside new. */
  readonly changes?: readonly CardChange[]
  /** What stays, folded away. */
  readonly unchanged?: readonly LabelledValue[]
  /** Consequences, each one fact in the present tense. */
  readonly effects?: readonly string[]
  /** Further body blocks, shown in this order before the effects. */
  readonly blocks?: readonly CardBlock[]
  /** What somebody should know first. They stop nobody. */
  readonly warnings?: readonly { readonly title: string; readonly text?: string }[]
  /** Why this cannot be confirmed, and what would unblock it; `code`: the failure with which the call would end. */
  readonly blocked?: { readonly title: string; readonly text: string; readonly code?: string }
  /** The text of the button: "Create order". */
  readonly confirmLabel: string
  /** A name or number on the card that must be typed before Confirm is enabled: an order's id, the number of recipients. */
  readonly confirmPhrase?: string
  /** Machine-readable extras (recipient count, samples), under `details` of the envelope. */
  readonly details?: Readonly<Record<string, unknown>>
  /** How long the run takes, about; measured from earlier runs when absent. */
  readonly estimatedDurationMs?: number
}

/** The content of a success card. */
export interface Success {
  /** What has happened. */
  readonly title: string
  /** The call took effect, and what it ran failed by its own account: the card then says "Failed" and not "Applied". */
  readonly failed?: boolean
  /** What stands smaller below the title. */
  readonly subtitle?: string
  /** Its body, from top to bottom. */
  readonly blocks?: readonly CardBlock[]
  /** Addresses to go on to. */
  readonly links?: readonly { readonly label: string; readonly url: string }[]
}

/** What a card is written with beside its facts. */
export interface CardContext {
  /** Which of the tool's `languages` it speaks. */
  readonly language: string
}

/** What `reconcile` found out about a run whose outcome is not known. */
export type Reconciled<O> =
  | { readonly kind: 'applied'; readonly result: O }
  | { readonly kind: 'not-applied' }
  | { readonly kind: 'unknown' }

/** A call that a card offers: as a new preview, never run by itself. */
export interface OfferedCall {
  /** Wire name of the tool. */
  readonly tool: string
  /** Its arguments, without rationale, preview and ticket. */
  readonly arguments: Readonly<Record<string, unknown>>
  /** The text of the button. */
  readonly label: string
}
