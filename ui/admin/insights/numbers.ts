// Numbers and times of the charts, as the reader writes them.
import type { Insights } from '../shapes.ts'
import type { AdminContext } from '../context.ts'

/** A count, grouped. */
export const counted =
  ({ reader }: AdminContext): ((value: number) => string) =>
  (value) =>
    new Intl.NumberFormat(reader.locale ?? 'en').format(value)

/** A share that the server worked out. */
export const percent = ({ reader }: AdminContext, value: number | null): string =>
  value === null
    ? '–'
    : new Intl.NumberFormat(reader.locale ?? 'en', { style: 'percent', maximumFractionDigits: 1 }).format(value / 100)

/** Where a slice begins: an hour, or a day. Days are those of UTC. */
export const sliceLabel = ({ reader }: AdminContext, iso: string, grain: Insights['calls']['grain']): string =>
  new Intl.DateTimeFormat(
    reader.locale ?? 'en',
    grain === 'hour'
      ? { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }
      : { day: 'numeric', month: 'short', timeZone: 'UTC' },
  ).format(new Date(iso))
