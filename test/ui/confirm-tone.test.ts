// The button that signs says by its colour how much a mistake costs, in whatever document it stands.
import { expect, test } from 'vitest'
import { cardSchema } from '../../server/cards/card.schema.ts'
import { confirmTone } from '../../server/cards/confirm-tone.ts'
import { examples } from '../../ui/playground/gallery/examples.ts'
import * as fixtures from '../hosts/cards.ts'
import { wideCards } from '../hosts/wide-cards.ts'

const cards = [
  ...examples.map(({ id, card }) => [`gallery: ${id}`, card] as const),
  ...Object.entries(fixtures).flatMap(([name, value]) => {
    const card = cardSchema.safeParse(value)
    return card.success ? [[name, card.data] as const] : []
  }),
  ...wideCards,
]

test.each(cards)('%s has a Confirm in the colour of its risk, or none', (_, { actions, risk = 'medium' }) => {
  const tones = actions.filter(({ role }) => role === 'confirm').map(({ tone }) => tone)
  expect(tones).toEqual(tones.map(() => confirmTone(risk)))
})
