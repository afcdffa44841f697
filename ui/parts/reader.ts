// Everything that a piece needs to know of the person who reads: their words, their way of writing numbers and times,
// and how a link is opened where a frame may not open one itself.
import type { Words } from './words/en.ts'

export interface Reader {
  readonly words: Words
  /** Of the words: one that we speak. */
  readonly language: string
  /** BCP 47; the browser's own when absent. */
  readonly locale?: string
  /** IANA; the browser's own when absent. */
  readonly timeZone?: string
  openLink(url: string): void
}
