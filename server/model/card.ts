// The card document: the JSON that the server writes and the iframe renders. Types only, because the iframe must not hold a
// validator; `cards/card.schema.ts` is the same shape for Zod, and a type test proves them equal.
// Longer than 300 lines, because every member has the sentence that the reference of the API is made of.
import type { CardEdits } from './card-edits.ts'
import type { CardSpan, CardValue, LabelledValue } from './card-value.ts'
import type { Risk } from './risk.ts'

export type { CardSpan, CardValue, LabelledValue }

/** Risk of a tool, as the contract declares it (docs/DESIGN.md, section 3). A `forbidden` tool never has a card. */
export type CardRisk = Exclude<Risk, 'forbidden'>

/** One changed fact. `pointer` is the JSON Pointer (RFC 6901) of the field in the thing that changes. */
export interface CardChange {
  /** Place of the field in the thing that changes, as a JSON Pointer. */
  readonly pointer: string
  /** What the field is called. */
  readonly label: string
  /** What is there. */
  readonly before: CardValue
  /** What would be there. */
  readonly after: CardValue
  /** What the person saw in the preview that went stale; present only in a three-way diff. */
  readonly saw?: CardValue
}

/** A column of a block. */
export interface Column {
  /** Its head. */
  readonly label: string
  /** `end` for numbers; `start` when absent. */
  readonly align?: 'start' | 'end'
}

/** An item of a `lines` block. */
export interface LineItem {
  /** Its id, set small beside the label. */
  readonly id?: string
  /** What it is called. */
  readonly label: string
  /** In the order of the block's `columns`. */
  readonly cells: readonly CardValue[]
}

/** One record of a list that is added, changed or removed. */
export interface CardRecordChange {
  /** What becomes of the record. */
  readonly change: 'added' | 'changed' | 'removed'
  /** What the record is called. */
  readonly label: string
  /** Its id, set small beside the label. */
  readonly id?: string
  /** What an added record will hold, or a removed one held. */
  readonly fields?: readonly LabelledValue[]
  /** What changes inside a changed one. */
  readonly changes?: readonly CardChange[]
}

/** One row of a `pages` block. */
export interface CardPageRow {
  /** By which it is asked for, and known again; no two rows of a list have the same. */
  readonly key: string
  /** One for each column. */
  readonly cells: readonly CardValue[]
}

/** A part of a card's body; the limits are in `server/cards/limits.ts`. */
export type CardBlock =
  | Exclude<InnerBlock, { kind: 'details' }>
  | (Extract<InnerBlock, { kind: 'details' }> & {
      /** Below all that it has itself. */
      readonly blocks?: readonly InnerBlock[]
    })

/** A block that may stand inside of another. `fallback`: for a view that does not know the kind. */
export type InnerBlock = { readonly fallback?: string } & (
  | { readonly kind: 'text'; readonly text: string }
  /** What follows from the change, each one fact in the present tense. */
  | { readonly kind: 'effects'; readonly effects: readonly string[] }
  | { readonly kind: 'fields'; readonly fields: readonly LabelledValue[] }
  | {
      readonly kind: 'diff'
      readonly changes: readonly CardChange[]
      /** Fields that stay as they are; folded away, with their number. */
      readonly unchanged?: readonly LabelledValue[]
      readonly records?: readonly CardRecordChange[]
      /** How many records of that list stay as they are. */
      readonly unchangedRecords?: number
    }
  | {
      /** Many rows of the same columns, which the reader may sort. */
      readonly kind: 'table'
      readonly label: string
      readonly columns: readonly Column[]
      /** Each with as many cells as there are columns. */
      readonly rows: readonly (readonly CardValue[])[]
      readonly totals?: readonly LabelledValue[]
    }
  | {
      /**
       * The beginning of a list that is longer than a card. While its plan is open the card reads on, where its host lets it;
       * elsewhere it says how many more there are. It need not be read through before Confirm: its `total` is what is signed.
       */
      readonly kind: 'pages'
      /** Name of the list in the contract's `lists`. */
      readonly list: string
      readonly label: string
      /** Rows of the whole list. */
      readonly total: number
      readonly columns: readonly Column[]
      readonly rows: readonly CardPageRow[]
      /** What to ask for the rows after these with; absent where these are all. */
      readonly next?: string
      /** The list's `open` shows one row in full. */
      readonly opens?: true
      /** A sentence for whoever cannot page here: which read tool lists the rest. */
      readonly rest?: string
    }
  | {
      /** Who gets something, or is affected. */
      readonly kind: 'people'
      readonly label: string
      readonly count: number
      /** A few of them; `isNew` where they never got anything from here before. */
      readonly sample: readonly { readonly name: string; readonly address?: string; readonly isNew?: boolean }[]
      readonly domains?: readonly { readonly name: string; readonly count: number }[]
      /** How many of all are new. */
      readonly newCount?: number
    }
  | {
      readonly kind: 'steps'
      readonly steps: readonly {
        readonly label: string
        /** `applied`: was done. `verified`: was done and checked afterwards. `unknown`: nobody knows whether it was done. */
        readonly state: 'planned' | 'applied' | 'verified' | 'failed' | 'not-run' | 'unknown'
        readonly note?: string
      }[]
    }
  | {
      readonly kind: 'progress'
      readonly label: string
      readonly done: number
      readonly total: number
      /** Per cent of the total at which a line stands on the bar. */
      readonly marks?: readonly number[]
    }
  | {
      /** A few important numbers, with what they were before. */
      readonly kind: 'metrics'
      readonly metrics: readonly (LabelledValue & { readonly before?: CardValue })[]
    }
  | {
      readonly kind: 'lines'
      /** Heads of the columns after the first; the first column is the item itself. */
      readonly columns: readonly Column[]
      readonly itemLabel: string
      readonly items: readonly LineItem[]
      readonly totals?: readonly LabelledValue[]
    }
  | {
      readonly kind: 'alert'
      readonly severity: 'info' | 'warning' | 'danger' | 'block'
      /** What is wrong, first and in bold. */
      readonly title: string
      /** What it means, or what would unblock it. */
      readonly text?: string
    }
  | {
      readonly kind: 'code'
      readonly text: string
      /** `diff` tints lines that start with + or -; `markdown` with spans is set as sentences and not as code. */
      readonly language?: string
      readonly label?: string
      /** In their order, none over another. */
      readonly spans?: readonly CardSpan[]
    }
  | {
      /** Of what is judged; what is signed stands in words. `alt` is in its place where it is not seen. */
      readonly kind: 'picture'
      readonly label: string
      readonly alt: string
      /** `data:` address of a PNG, a JPEG, a WebP or a GIF that does not move, and the pixels that its bytes have. */
      readonly data: string
      readonly width: number
      readonly height: number
    }
  | { readonly kind: 'links'; readonly links: readonly { readonly label: string; readonly url: string }[] }
  | {
      /** Folded until it is opened. */
      readonly kind: 'details'
      readonly summary: string
      readonly fields: readonly LabelledValue[]
      /** Paragraphs and lists below the fields, as in a `text` block. */
      readonly text?: string
      /** Of `text`, which then stands line by line as it is, with a bar beside it: somebody else's words. */
      readonly spans?: readonly CardSpan[]
      /**
       * True where it holds what will be applied: it must be opened before Confirm. False where it may stay folded. When
       * absent, it must be opened if it holds a long value.
       */
      readonly applied?: boolean
    }
)

/** The states of a card. */
export const cardStates = [
  'ready',
  'pending',
  'sent',
  'cancelled',
  'expired',
  'superseded',
  'stale',
  'applying',
  'applied',
  // Some steps took effect and some did not; the `steps` block says which.
  'partial',
  'failed',
  'unknown',
  'refused',
  'blocked',
  'info',
] as const

/** The state of a card. The server writes the first one; after that the view owns it. */
export type CardState = (typeof cardStates)[number]

/** One step of what a button does. `SendMessage.text` is only ever an Apply, a Cancel or a Preview message. */
export type CardStep =
  | { readonly do: 'SetState'; readonly state: CardState }
  | { readonly do: 'SendMessage'; readonly text: string }
  | { readonly do: 'OpenLink'; readonly url: string }
  | { readonly do: 'CopyText'; readonly text: string }
  | { readonly do: 'ShowToast'; readonly text: string }

/** A button of a card. */
export interface CardAction {
  /** `confirm` also records the click, `cancel` also revokes the plan; `other` does its steps and nothing else. */
  readonly role: 'confirm' | 'cancel' | 'other'
  /** What the button does, never "OK". */
  readonly label: string
  /** How it looks: `stop` for what deletes or cannot be taken back. */
  readonly tone: 'go' | 'stop' | 'plain'
  /** What it does, in this order. */
  readonly steps: readonly CardStep[]
}

/** The plan that a preview card can confirm. */
export interface CardPlan {
  /** The id of the plan (`pl_…`). */
  readonly id: string
  /** The secret. It exists in the card and nowhere else. */
  readonly ticket: string
  /** Milliseconds, counted from the moment the result was made; a duration because clocks differ. */
  readonly expires_in_ms: number
}

/** The document that a host draws: what the server says, as data. */
export interface Card {
  /** Version of the form of this document. */
  readonly version: 1
  /** What its words are written in, as a subtag of BCP 47; English when absent. */
  readonly language?: string
  /** What it is about. */
  readonly kind: 'preview' | 'success' | 'error' | 'approval' | 'info'
  /** Verb, object, name. */
  readonly title: string
  /** What stands smaller below the title. */
  readonly subtitle?: string
  /** A `data:` address of a PNG or a JPEG, small, behind the subtitle: of whom it is known that it is theirs. */
  readonly icon?: string
  /** Wire name of the tool. */
  readonly tool: string
  /** Name of the server as its operator gave it. */
  readonly source: string
  /** How risky the call is. */
  readonly risk?: CardRisk
  /** The agent's rationale: a quotation, never the card's own voice. */
  readonly claim?: string
  /** Its body, from top to bottom. */
  readonly blocks: readonly CardBlock[]
  /** Its buttons. */
  readonly actions: readonly CardAction[]
  /** What must be typed before Confirm is enabled: a name or a number that the card shows. */
  readonly confirm_phrase?: string
  /** Where it stands when it is drawn. */
  readonly state: CardState
  /** A preview card's own plan. */
  readonly plan?: CardPlan
  /** What of the call may be changed on it. */
  readonly edits?: CardEdits
  /** Who agreed to the call, and when: a sentence for the foot of its success. */
  readonly signed?: string
  /** The plan that a success or error card is the result of; a preview card accepts only results of its own plan. */
  readonly plan_id?: string
  /** A success card of what goes on: it asks how that stands, and is replaced by the answer. */
  readonly follow?: true
  /** Error code for machines, shown small. */
  readonly code?: string
  /** When it happened, ISO 8601 with zone. */
  readonly at?: string
}
