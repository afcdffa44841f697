// Whoever has a link decides how often it is downloaded, and the activity log is not theirs to fill. So a link has rows of
// its own for so many downloads in an hour, and one row with the sum of the others.

/** Downloads of a link in an hour that have a row each. */
export const rowsPerHour = 100

/** How the downloads of a link in its last hour are on record. */
export interface HourOfLink {
  /** By the clock, as the beginning of an ISO moment: `2026-11-26T09`; `null` where nothing was downloaded yet. */
  readonly hour: string | null
  /** With a row each. */
  readonly rows: number
  /** Without one: to be summed up when the hour is over. */
  readonly more: number
}

export interface SumOfHour {
  readonly hour: string
  readonly downloads: number
}

/** The hour in which an ISO moment lies. */
export const hourOf = (iso: string): string => iso.slice(0, 13)

/** What is put on record of a download in this hour: a row of its own or none yet, and the sum of the hour before it. */
export function afterDownload(
  before: HourOfLink,
  hour: string,
): { readonly next: HourOfLink; readonly ownRow: boolean; readonly sum: SumOfHour | undefined } {
  const isSame = before.hour === hour
  const { rows, more } = isSame ? before : { rows: 0, more: 0 }
  const ownRow = rows < rowsPerHour
  return {
    next: { hour, rows: ownRow ? rows + 1 : rows, more: ownRow ? more : more + 1 },
    ownRow,
    sum:
      isSame || before.hour === null || before.more === 0 ? undefined : { hour: before.hour, downloads: before.more },
  }
}
