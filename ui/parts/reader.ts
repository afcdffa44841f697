// Everything that a piece needs to know of the person who reads: their words, their way of writing numbers and times,
// and how a link is opened where a frame may not open one itself.
import type { Words } from '../../server/cards/words/en.ts'

import type { ShownValue } from './value.tsx'

/** One row of a list, by its key. */
export interface ListRow {
  readonly key: string
  readonly cells: readonly ShownValue[]
}

/**
 * Reads on in a list that is longer than its card: the rows behind `after`, or the one of `key` in full (without blocks
 * where it is not there any more). Nothing where no answer came that can be used.
 */
export type ListReader = (
  list: string,
  at: { readonly after?: string; readonly key?: string },
) => Promise<
  { readonly rows?: readonly ListRow[]; readonly next?: string; readonly blocks?: readonly unknown[] } | undefined
>

export interface Reader {
  readonly words: Words
  /** Of the words: one that we speak. */
  readonly language: string
  /** BCP 47; the browser's own when absent. */
  readonly locale?: string | undefined
  /** IANA; the browser's own when absent. */
  readonly timeZone?: string | undefined
  openLink(url: string): void
  /** Where a list can be read on; absent where nobody can be asked. */
  readonly readList?: ListReader | undefined
}
