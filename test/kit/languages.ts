// What cards say in a language, compared with what the same cards say in English.
import { vi } from 'vitest'
import { figuresIn } from '../../server/cards/figures.ts'
import type { Card } from '../../server/model/card.ts'

/** Texts for people, by their place in a card. */
export type Texts = ReadonlyMap<string, string>

const forPrograms = new Set(
  'kind change state severity align pointer id value code confirmPhrase data url list language'.split(' '),
)
const values = new Set(['money', 'number', 'date', 'unset', 'code'])

/** Every text for people in a card, or in several; units of numbers are among them. */
export function textsIn(part: unknown, at = ''): Map<string, string> {
  if (typeof part === 'string') return new Map([[at, part]])
  if (typeof part !== 'object' || part === null) return new Map()
  if ('kind' in part && values.has(String(part.kind)) && !('label' in part))
    return 'unit' in part ? textsIn(part.unit, `${at}/unit`) : new Map()
  return new Map(
    Object.entries(part).flatMap(([key, value]) =>
      typeof value === 'string' && forPrograms.has(key) ? [] : [...textsIn(value, `${at}/${key}`)],
    ),
  )
}

/** What a card says itself: the view has its own words for what every card offers, and messages are for the agent. */
export const saidOn = ({ title, subtitle, blocks, signed, edits, actions }: Partial<Card> = {}): Texts =>
  textsIn([
    [title, subtitle, blocks, signed],
    edits?.fields.map(({ label }) => label),
    actions?.flatMap(({ role, label }) => (role === 'cancel' || label === 'Preview again' ? [] : [label])),
  ])

const wordsOf = (text: string, names: RegExp): string[] => {
  const sentence = figuresIn(text).map((piece) => (typeof piece === 'string' ? piece : ' '))
  const words =
    sentence
      .join('')
      .replaceAll(names, ' ')
      .match(/\p{L}[\p{L}\p{M}]+/gu) ?? []
  return words.map((word) => word.toLowerCase())
}

/** The figures of a sentence, in any order. */
const figuresOf = (text: string): string[] =>
  figuresIn(text)
    .flatMap((piece) => (typeof piece === 'string' ? [] : [JSON.stringify({ ...piece, unit: undefined })]))
    .sort()

/** Of each text the words that its English has too, and the figures of both. `names`: what is the same in every language. */
export const besideEnglish = (english: Texts, own: Texts, names: RegExp) =>
  [...own].map(([at, text]) => {
    const original = english.get(at) ?? ''
    const theirs = wordsOf(original, names)
    const left = wordsOf(text, names).filter((word) => theirs.includes(word))
    return { at, text, left, figures: figuresOf(text), asked: figuresOf(original) }
  })

/** Listens to every function of some words, so that a test can tell which of them it has not heard. */
export function listen(words: object, at = ''): { at: string; calls: () => number }[] {
  return Object.entries(words).flatMap(([key, value]) => {
    if (typeof value === 'function') {
      const spy = vi.spyOn(words as Record<string, () => string>, key)
      return [{ at: `${at}/${key}`, calls: () => spy.mock.calls.length }]
    }
    return typeof value === 'object' && value !== null ? listen(value as object, `${at}/${key}`) : []
  })
}

/** Which words there are, and that none is empty. */
export const shapeOf = (words: unknown): unknown =>
  typeof words === 'object' && words !== null
    ? Object.fromEntries(Object.entries(words).map(([key, value]) => [key, shapeOf(value)]))
    : typeof words === 'string' && words.trim() === ''
      ? 'nothing'
      : typeof words
