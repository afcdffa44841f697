// A row without its texts could also be one that somebody emptied and dated. Which erasure has taken a row's texts, and so
// when, follows from the chain alone: the first one of its pseudonym that found it ended, or running for too long to end.
import type { Erasure } from './digest-columns.ts'
import { LONGEST_CALL_MS } from '../read/row.ts'
import { toNumber } from '../to-number.ts'

/** What decides which erasure takes a row, and what the row says of it. */
export interface ErasedRow {
  /** Numbers of its entries; `ended` is null while it runs. */
  readonly begun: number
  readonly ended: number | null
  /** Epoch milliseconds, as in the row. */
  readonly at: number
  readonly erasedAt: number | null
}

/** What is wrong with what a row says of its erasure, given those of its pseudonym in the order of the chain. */
export const erasureProblem = (
  id: string,
  row: ErasedRow,
  gone: boolean,
  erasures: readonly Erasure[],
): string | undefined => {
  const erasure = erasures.find((each) => takes(each, row))
  if (gone && erasure === undefined) return `The texts of row ${id} are gone, and no erasure says so.`
  if (!gone && erasure !== undefined)
    return `The texts of row ${id} are there, and entry ${erasure.seq} says that they were erased.`
  if (row.erasedAt === (erasure === undefined ? null : toNumber(erasure.at))) return undefined
  return erasure === undefined
    ? `Row ${id} was changed: it says that its texts were erased, and they are there.`
    : `Row ${id} was changed: its texts were erased at another time, which entry ${erasure.seq} says.`
}

// The condition of the statement in `erase.ts`.
const takes = ({ seq, at }: Erasure, row: ErasedRow): boolean =>
  row.ended === null ? row.begun < toNumber(seq) && row.at <= toNumber(at) - LONGEST_CALL_MS : row.ended < toNumber(seq)
