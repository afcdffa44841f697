// "3 minutes ago" is what a person can act on, the exact time is what a record needs: each is drawn as the first and
// carries the second. Times are written as the reader writes them; "ago" is a word of the page's, and in its language.
import type { VNode } from 'preact'
import { useEffect, useReducer } from 'preact/hooks'
import type { AdminContext, AppProps } from './context.ts'

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

const relative = new Map<string, Intl.RelativeTimeFormat>()

const relativeOf = (locale: string): Intl.RelativeTimeFormat => {
  const known = relative.get(locale) ?? new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  relative.set(locale, known)
  return known
}

/** "in 3 hours", "12 seconds ago". */
const fromNow = (at: number, now: number, locale: string): string => {
  const seconds = Math.round((at - now) / 1_000)
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? units[3]
  return relativeOf(locale).format(Math.trunc(seconds / size), unit)
}

/** The exact time, as the reader writes it. */
const exactTime = (at: number, locale: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(at)

/** Draws again every so many milliseconds, and answers the server's present. */
export const useNow = (app: AdminContext, every = 1_000): number => {
  const [, draw] = useReducer<number, void>((count) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(() => draw(undefined), every)
    return () => clearInterval(timer)
  }, [every])
  return app.now()
}

/** A moment as it is read: how long ago, and the exact time beside it for those who point at it. */
export const Ago = ({ iso, app }: AppProps<{ iso: string }>): VNode => {
  const now = useNow(app, 20_000)
  const at = Date.parse(iso)
  const locale = app.reader.locale ?? 'en'
  if (Number.isNaN(at)) return <span class="unset">unknown</span>
  return (
    <time dateTime={iso} title={exactTime(at, locale)}>
      {fromNow(at, now, app.reader.language)}
    </time>
  )
}

/** A moment to the second, in the reader's zone. */
export const Exact = ({ iso, app }: AppProps<{ iso: string }>): VNode => {
  const at = Date.parse(iso)
  return Number.isNaN(at) ? (
    <span class="unset">unknown</span>
  ) : (
    <time dateTime={iso}>{exactTime(at, app.reader.locale ?? 'en')}</time>
  )
}

/** What is left until a moment: `14:32`, `2:05:09`. Empty once it is over. */
export const clock = (ms: number): string => {
  const seconds = Math.ceil(ms / 1_000)
  if (seconds <= 0) return ''
  const two = (part: number): string => String(part).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}
