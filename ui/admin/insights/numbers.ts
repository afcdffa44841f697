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

/** How a number is to that of the period before, as a sentence; nothing where that is not known. */
export const comparedWords = (app: AdminContext, now: number, before: number | undefined): string => {
  if (before === undefined) return ''
  if (now === before) return ' As many as in the period before.'
  if (before === 0) return ' None in the period before.'
  const share = percent(app, (Math.abs(now - before) / before) * 100)
  return ` ${share} ${now > before ? 'more' : 'fewer'} than in the period before (${counted(app)(before)}).`
}

/** A length of time, in its largest unit. */
export const secondsWords = ({ reader }: AdminContext, seconds: number): string => {
  const [value, unit] =
    seconds < 60 ? [seconds, 'second'] : seconds < 3600 ? [seconds / 60, 'minute'] : [seconds / 3600, 'hour']
  return new Intl.NumberFormat(reader.locale ?? 'en', {
    style: 'unit',
    unit,
    unitDisplay: 'narrow',
    maximumFractionDigits: 0,
  }).format(value)
}
