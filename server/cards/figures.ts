// Figures (numbers, money, days) inside sentences, written so that the view can find them and format them by locale as it does
// in fields. The form is that of a text without a locale ("EUR 998.00", "2026-11-28", "2.5 kg"), with its space, hyphen or
// point replaced by a character that looks the same and that nobody types. Only what `figureText` itself would have
// written is found; everything else stays as it is. Server and iframe use this file, so it has no imports.

/** The values that `Intl` formats; each is a `CardValue`. */
export type Figure =
  | { readonly kind: 'number'; readonly value: string; readonly unit?: string }
  | { readonly kind: 'money'; readonly amount: string; readonly currency: string }
  | { readonly kind: 'date'; readonly iso: string; readonly precision: 'day' | 'minute' }

/** FIGURE SPACE, NON-BREAKING HYPHEN and ONE DOT LEADER. */
const space = '\u2007'
const hyphen = '\u2011'
const point = '\u2024'

const decimal = /^-?\d+(?:\.\d+)?$/
const money = /^[A-Z]{3}$/
const moment = /^(\d{4}-\d\d-\d\d)(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-][01]\d:[0-5]\d))?$/

const isDay = (day: string): boolean => {
  const at = new Date(day)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day)
}

/** Whether a text is a day that exists, or a moment of one with its zone, in ISO 8601. */
export function isMoment(text: string): boolean {
  const day = moment.exec(text)?.[1]
  return day !== undefined && isDay(day)
}

/** A figure as text without a locale: a decimal point, a currency code, an ISO date. */
export function plainFigure(figure: Figure): string {
  switch (figure.kind) {
    case 'number':
      return figure.unit === undefined ? figure.value : `${figure.value} ${figure.unit}`
    case 'money':
      return `${figure.currency} ${figure.amount}`
    case 'date':
      return figure.iso
    default:
      return figure satisfies never
  }
}

/**
 * A figure for a sentence of a preview or a result (title, subtitle, summary, effect, warning, the text of a button).
 * The card shows it as it shows the same value in a field; a chat, a terminal and a model read `plainFigure`. What is
 * no decimal number, no code of three capital letters or no date is written as it was given.
 */
export function figureText(figure: Figure): string {
  const plain = plainFigure(figure)
  switch (figure.kind) {
    case 'number':
      if (!decimal.test(figure.value)) return plain
      return figure.unit === undefined ? grouped(figure.value) : `${figure.value}${space}${figure.unit}`
    case 'money':
      return decimal.test(figure.amount) && money.test(figure.currency) ? plain.replace(' ', space) : plain
    case 'date': {
      const [, day, time = ''] = moment.exec(figure.iso) ?? []
      return day !== undefined && isDay(day) ? `${day.replaceAll('-', hyphen)}${time}` : plain
    }
    default:
      return figure satisfies never
  }
}

/** Its whole part in groups of three digits, counted from the right. */
const grouped = (value: string): string => {
  const [whole = '', ...fraction] = value.split('.')
  const [sign, digits] = whole.startsWith('-') ? ['-', whole.slice(1)] : ['', whole]
  const first = digits.slice(0, digits.length % 3)
  const groups = [...(first === '' ? [] : [first]), ...(digits.slice(first.length).match(/\d{3}/g) ?? [])]
  return `${sign}${[groups.join(space), ...fraction].join(point)}`
}

// In this order: money, a date, a number with a unit (which is not part of the match), a number without one.
const written = new RegExp(
  `(?<![\\p{L}\\p{M}\\p{N}_.,${space}${hyphen}${point}-])(?:` +
    [
      `([A-Z]{3})${space}(-?\\d+(?:\\.\\d+)?)`,
      `(\\d{4}${hyphen}\\d\\d${hyphen}\\d\\d(?:T[\\d:.]+(?:Z|[+-]\\d\\d:\\d\\d))?)`,
      `(-?\\d+(?:\\.\\d+)?)${space}(?=[^\\s\\d.,+-])`,
      `(-?\\d{1,3}(?:${space}\\d{3})*(?:${point}\\d+)?)`,
    ].join('|') +
    `)(?<end>(?<=${space})|(?![\\p{L}\\p{M}\\p{N}_${space}${hyphen}${point}]|[.,:]\\p{N}))`,
  'gu',
)

const read = (match: RegExpExecArray): Figure | undefined => {
  const [text, currency, amount, date, counted, bare] = match
  if (currency !== undefined && amount !== undefined) return { kind: 'money', amount, currency }
  if (date !== undefined)
    return { kind: 'date', iso: date.replaceAll(hyphen, '-'), precision: date.includes('T') ? 'minute' : 'day' }
  if (counted !== undefined) return { kind: 'number', value: counted, unit: '' }
  // Digits without one of the three characters may be anything, such as an id.
  return bare === undefined || /^-?\d+$/.test(text)
    ? undefined
    : { kind: 'number', value: bare.replaceAll(space, '').replace(point, '.') }
}

/** The text in pieces, with the figures that `figureText` wrote. A number with a unit ends before the unit. */
export function figuresIn(text: string): readonly (string | Figure)[] {
  if (!/[\u2007\u2011\u2024]/.test(text)) return text === '' ? [] : [text]
  const pieces: (string | Figure)[] = []
  let from = 0
  for (const match of text.matchAll(written)) {
    const figure = read(match)
    if (figure === undefined || figureText(figure) !== match[0]) continue
    if (match.index > from) pieces.push(text.slice(from, match.index))
    pieces.push(figure)
    from = match.index + match[0].length
  }
  if (from < text.length) pieces.push(text.slice(from))
  return pieces
}

/** A sentence for readers without a locale: its figures as `plainFigure` writes them, the rest as it is. */
export const plainSentence = (text: string): string =>
  figuresIn(text)
    .map((piece) => (typeof piece === 'string' ? piece : plainFigure(piece)))
    .join('')
