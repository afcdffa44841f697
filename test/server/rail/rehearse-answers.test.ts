// What is rehearsed is what people get: cards that their own schema and the grammar of messages take.
import { expect, test } from 'vitest'
import { cardText } from '../../../server/cards/card-text.ts'
import { rehearseAnswers, rehearsedCards } from '../../../server/rail/answers/rehearse-answers.ts'
import { checkCardMessages } from '../../../server/rail/preview/check-card-messages.ts'

test('each rehearsed card can be shown, and sends only valid messages', () => {
  const cards = rehearsedCards.map((make) => checkCardMessages(make()))
  expect(cards.map(({ kind }) => kind)).toEqual(['preview', 'success'])
  for (const card of cards) expect(cardText(card)).toContain('plan.txt')
  expect(cards[0]?.actions.map(({ role }) => role)).toEqual(['cancel', 'confirm'])
})

test('a rehearsal comes to its end, and lets others work in between', async () => {
  let others = 0
  const between = setInterval(() => (others += 1), 0)
  await rehearseAnswers()
  await new Promise((go) => setTimeout(go, 2))
  clearInterval(between)
  expect(others).toBeGreaterThan(0)
})
