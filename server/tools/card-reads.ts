// What a card may read after it was shown: further pages of a list that is longer than a card, one item of such a list, and
// how the work goes on that a call has begun. The card asks through app-only tools, and nothing of it ever writes.
import type { CardBlock, CardPageRow } from '../model/card.ts'
import type { OfferedCall, ToolContext } from './contract.ts'

/** A page of a list, from the row behind `after` on. */
export interface ListPage {
  /** At most as many as were asked for; each with one cell for each column of the preview's `pages` block. */
  readonly rows: readonly CardPageRow[]
  /** What to hand on as `after` for the next page; absent at the end. */
  readonly next?: string | undefined
}

/**
 * A list of a preview that is longer than a card. It is read with the arguments that the plan stored, and changes nothing. A
 * place in it is a key and not a number, so that a list which changes meanwhile shows no row twice and leaves none out.
 */
export interface CardList<I = unknown> {
  /** Answers the rows behind the one that `after` names, `limit` at most. */
  page(
    input: I,
    ctx: ToolContext,
    at: { readonly after?: string; readonly limit: number },
  ): Promise<ListPage> | ListPage
  /** What one row stands for, in full: a mail as this recipient reads it. `undefined` where there is no such row any more. */
  open?(
    input: I,
    ctx: ToolContext,
    key: string,
  ): Promise<readonly CardBlock[] | undefined> | readonly CardBlock[] | undefined
}

/** How what a call began goes on: the success card shows this in place of what it had. */
export interface Followed {
  /** Nothing more will come: the card stops asking. */
  readonly done: boolean
  /** The body of the card by now. */
  readonly blocks: readonly CardBlock[]
  /** In place of the title of the success. */
  readonly title?: string | undefined
  /** What stands smaller below the title. */
  readonly subtitle?: string | undefined
  /** Calls that the person may want to make of it (stop it, resume it), each as a new preview; in place of `undo`. */
  readonly offers?: readonly OfferedCall[] | undefined
}
