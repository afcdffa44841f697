// Numbers come as decimal strings because a float would round somebody's money. `Intl` formats such strings exactly,
// and where it cannot read one, the string itself is shown: never a guess, never an exception.
import { figuresIn, type Figure } from '../../server/cards/figures.ts'
import type { Reader } from './reader.ts'

export type Place = Pick<Reader, 'locale' | 'timeZone'>

const decimal = /^-?\d+(\.\d+)?$/

type Format = Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat

/** Formatters are costly to make and a long table asks for thousands of the same. */
const formatters = new Map<string, Format>()

const cached = <F extends Format>(key: string, make: () => F): F => {
  const known = formatters.get(key) as F | undefined
  if (known) return known
  const made = make()
  formatters.set(key, made)
  return made
}

const digitsAfterPoint = (value: string): number => value.split('.')[1]?.length ?? 0

const orPlain = (plain: string, write: () => string): string => {
  try {
    return write()
  } catch {
    return plain
  }
}

const numberFormat = ({ locale }: Place, digits: number, currency: string | undefined): Intl.NumberFormat =>
  cached(`${locale}|${digits}|${currency}`, () => {
    const options = { style: currency ? 'currency' : 'decimal', currency } as const
    const usual = new Intl.NumberFormat(locale, options).resolvedOptions().minimumFractionDigits ?? 0
    // Every digit that was sent is shown: rounding in a preview would be a small lie about what is signed.
    const shown = Math.max(digits, usual)
    return new Intl.NumberFormat(locale, { ...options, minimumFractionDigits: shown, maximumFractionDigits: shown })
  })

/** A decimal string, grouped and pointed as the reader is used to; with its currency where it has one. */
export const formatNumber = (value: string, place: Place, currency?: string, plain = value): string =>
  orPlain(plain, () =>
    decimal.test(value)
      ? numberFormat(place, digitsAfterPoint(value), currency).format(value as Intl.StringNumericLiteral)
      : plain,
  )

/** A decimal string with its currency. */
export const formatMoney = (amount: string, currency: string, place: Place): string =>
  formatNumber(amount, place, currency, `${amount} ${currency}`)

const timeFormat = ({ locale }: Place, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  cached(JSON.stringify([locale, options]), () => new Intl.DateTimeFormat(locale, options))

/** A day, or an instant to the minute. A bare day has no zone and must not move with the reader's. */
export const formatDate = (iso: string, precision: 'day' | 'minute', place: Place): string => {
  const bare = /^\d{4}-\d{2}-\d{2}$/.test(iso)
  return formatInstant(iso, iso, place, {
    dateStyle: 'medium',
    timeStyle: precision === 'minute' && !bare ? 'short' : undefined,
    timeZone: bare ? 'UTC' : place.timeZone,
  })
}

const formatInstant = (iso: string, plain: string, place: Place, options: Intl.DateTimeFormatOptions): string => {
  const instant = new Date(iso)
  return Number.isNaN(instant.getTime()) ? plain : orPlain(plain, () => timeFormat(place, options).format(instant))
}

/** A number without its unit, an amount of money or a date: the one form of it on a screen, wherever it stands. */
export const formatFigure = (figure: Figure, place: Place): string => {
  switch (figure.kind) {
    case 'number':
      return formatNumber(figure.value, place)
    case 'money':
      return formatMoney(figure.amount, figure.currency, place)
    case 'date':
      return formatDate(figure.iso, figure.precision, place)
    default:
      return figure satisfies never
  }
}

/** A sentence of the server's as bare text, for a title of a window, a copy and what is read aloud. */
export const formatSentence = (text: string, place: Place): string =>
  figuresIn(text)
    .map((piece) => {
      if (typeof piece === 'string') return piece
      return `${formatFigure(piece, place)}${piece.kind === 'number' && piece.unit !== undefined ? '\u00A0' : ''}`
    })
    .join('')

/** The time of day of an instant: "12:03". Empty where the instant cannot be read. */
export const formatTime = (iso: string, place: Place): string =>
  formatInstant(iso, '', place, { timeStyle: 'short', timeZone: place.timeZone })

/** The time of day of a moment in milliseconds, to the second. */
export const formatClock = (at: number, place: Place): string =>
  timeFormat(place, { timeStyle: 'medium', timeZone: place.timeZone }).format(at)

const spans = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** How long ago, in the largest unit that fits: "12 seconds ago"; of what is to come, "in 3 hours". */
export const formatAgo = (seconds: number, language: string): string => {
  const [unit, size] = spans.find(([, size]) => Math.abs(seconds) >= size) ?? spans[3]
  const format = cached(`r${language}`, () => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }))
  return format.format(Math.trunc(-seconds / size), unit)
}
