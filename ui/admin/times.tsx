// "3 minutes ago" is what a person can act on, the exact time is what a record needs: each is drawn as the first and
// carries the second. Times are written as the reader writes them; "ago" is a word of the page's, and in its language.
import type { VNode } from 'preact'
import { useNow } from '../parts/countdown.ts'
import { formatAgo } from '../parts/format.ts'
import type { AppProps } from './context.ts'

/** The exact time, as the reader writes it. */
export const exactTime = (at: number, locale: string | undefined): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(at)

/** A moment as it is read: how long ago, and the exact time beside it for those who point at it. */
export const Ago = ({ iso, app }: AppProps<{ iso: string }>): VNode => {
  const now = useNow(app.now, 20_000)
  const at = Date.parse(iso)
  if (Number.isNaN(at)) return <span class="unset">unknown</span>
  return (
    <time dateTime={iso} title={exactTime(at, app.reader.locale)}>
      {formatAgo(Math.round((now - at) / 1_000), app.reader.language)}
    </time>
  )
}

/** A moment to the second, in the reader's zone. */
export const Exact = ({ iso, app }: AppProps<{ iso: string }>): VNode => {
  const at = Date.parse(iso)
  return Number.isNaN(at) ? (
    <span class="unset">unknown</span>
  ) : (
    <time dateTime={iso}>{exactTime(at, app.reader.locale)}</time>
  )
}
