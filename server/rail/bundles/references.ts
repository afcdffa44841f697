// A step may take a value that an earlier one will answer with: `{"$ref": "/0/result/id"}` in its arguments. Until that has run, a
// stand-in is shown in its place, and what is shown then must be the same but for the value.
import { isDeepStrictEqual } from 'node:util'
import { cardLanguages, cardWords, fill } from '../../cards/card-words.ts'
import { fromPointer, toPointer, valueAt } from '../../errors/pointer.ts'

/** A place of a step's arguments that takes a value of an earlier step's result. */
export interface Reference {
  /** In the arguments. */
  readonly path: readonly string[]
  /** Counted from 0. */
  readonly step: number
  /** JSON Pointer into what that step answers; "" for all of it. */
  readonly from: string
}

/** Keys that a card can show in a few words. */
const form = /^\/(\d{1,2})\/result((?:\/[\w.~-]{1,40}){0,6})$/

/** The references of these arguments. An object with a `$ref` of another form is data. */
export function referencesIn(args: unknown, path: readonly string[] = []): readonly Reference[] {
  if (typeof args !== 'object' || args === null) return []
  const entries = Object.entries(args)
  const [[key, text] = []] = entries
  const found = entries.length === 1 && key === '$ref' && typeof text === 'string' ? form.exec(text) : null
  if (found !== null) return [{ path, step: Number(found[1]), from: found[2] ?? '' }]
  return entries.flatMap(([name, value]) => referencesIn(value, [...path, name]))
}

/** The arguments with other values in the places of their references. */
export const withValues = (args: unknown, values: readonly (readonly [Reference, unknown])[]): unknown =>
  values.reduce((changed, [{ path }, value]) => replaced(changed, path, value), args)

function replaced(given: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value
  if (Array.isArray(given)) return given.map((each, at) => (String(at) === key ? replaced(each, rest, value) : each))
  const held = given as Readonly<Record<string, unknown>>
  return { ...held, [key]: replaced(held[key], rest, value) }
}

/** How a reference is written. */
export const referenceTo = (step: number, from: string): { readonly $ref: string } => ({
  $ref: `/${step}/result${from}`,
})

/** The value that a reference names in what its step answered; `undefined` where there is none. */
export const valueOf = ({ from }: Reference, result: unknown): unknown => valueAt(result, fromPointer(from))

/** A reference with what stands in its place until its value is there. */
export interface StandIn {
  readonly reference: Reference
  readonly value: string | number
}

/** In words where a text may stand, else as a number that nobody uses. */
export const standIn = (reference: Reference, at: number, as: 'text' | 'number'): StandIn => ({
  reference,
  value: as === 'text' ? wordsFor(reference) : 8_070_605_040_302_000 + at,
})

/** "‹id of step 1›" */
export function wordsFor({ step, from }: Reference, language = 'en'): string {
  const { standIn: of, standInAll: ofAll } = cardWords(language)
  const number = String(step + 1)
  return from === '' ? fill(ofAll, number) : fill(of, fromPointer(from).join(' '), number)
}

/**
 * A text in one form: without what is invisible, without accents and what stretches Arabic letters, and with one blank and one
 * apostrophe. Letters of other scripts that look alike stay different.
 */
const alike = (text: string): string =>
  text
    .replace(/['‘’‛ʹʻʼʽˈ′‵`´｀]/g, "'")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKD')
    .replace(/[\p{M}\u0640]/gu, '')
    .replace(/[\p{Z}\s]+/gu, ' ')
    .toLowerCase()

/** The same with one pair of angle brackets for all of these. */
const bracketsAlike = (text: string): string => text.replace(/[‹«<〈⟨《⟪˂❬❮❰]/g, '‹').replace(/[›»>〉⟩》⟫˃❭❯❱]/g, '›')

/** What stands around the values of a stand-in, in each language. */
const aroundValues = cardLanguages.flatMap((language) =>
  [cardWords(language).standIn, cardWords(language).standInAll].map((words) =>
    // What is between brackets may have blanks at its ends.
    words.split(/\{\d\}/).map((part) => alike(part).trim()),
  ),
)

/** Whether something says what only a stand-in may say, in any language, or what looks like it. */
export function saysStandIn(given: unknown): boolean {
  if (typeof given === 'object' && given !== null)
    return Object.entries(given).some(([name, value]) => saysStandIn(name) || saysStandIn(value))
  if (typeof given !== 'string') return false
  const text = alike(given)
  // A bracket of another kind may stand within the true ones, and end nothing there.
  const found = [text, bracketsAlike(text)].flatMap((form) => form.match(/‹[^‹›]{1,320}›/g) ?? [])
  return found.some(
    (words) => /\p{N}/u.test(words) && aroundValues.some((parts) => parts.every((part) => words.includes(part))),
  )
}

/** Whether a value may stand where words stood: a number, or a text of one line that a person could read. */
export const isPlainValue = (value: unknown): value is string | number =>
  typeof value === 'number' ||
  (typeof value === 'string' && value.trim() !== '' && value.length <= 200 && !/[\p{C}\p{Zl}\p{Zp}]/u.test(value))

/** What was made with stand-ins as a person reads it: what stands in is words of their language, numbers too. */
export const inWords = <T>(made: T, standIns: readonly StandIn[], language: string): T =>
  standIns.reduce<unknown>((shown, { reference, value }) => {
    const words = wordsFor(reference, language)
    const asText =
      typeof value === 'string'
        ? shown
        : walk(shown, (held) =>
            isNumberValue(held, value) ? { kind: 'text', text: words } : held === value ? words : held,
          )
    return walk(asText, (held) => (typeof held === 'string' ? held.replaceAll(String(value), () => words) : held))
  }, made) as T

const isNumberValue = (held: unknown, value: number): boolean =>
  isDeepStrictEqual(held, { kind: 'number', value: String(value) })

/** Whether what was made with stand-ins is what is made with the values, but for these. */
export const differsOnlyBy = (
  shown: unknown,
  now: unknown,
  values: readonly (readonly [StandIn, unknown])[],
): boolean =>
  isDeepStrictEqual(
    values.reduce(
      (changed, [{ value: standing }, value]) =>
        walk(changed, (held) => {
          if (held === standing) return value
          return typeof held === 'string' ? held.replaceAll(String(standing), () => String(value)) : held
        }),
      shown,
    ),
    now,
  )

/** A copy in which each value, the outer ones first, is what `change` makes of it. */
function walk(given: unknown, change: (held: unknown) => unknown): unknown {
  const held = change(given)
  if (typeof held !== 'object' || held === null || held !== given) return held
  if (Array.isArray(held)) return held.map((each) => walk(each, change))
  return Object.fromEntries(Object.entries(held).map(([key, value]) => [key, walk(value, change)]))
}

/** The references of a step as JSON Pointers, by which errors name their places. */
export const placesOf = (references: readonly Reference[]): ReadonlySet<string> =>
  new Set(references.map(({ path }) => toPointer(path)))
