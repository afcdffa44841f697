// Checks that every button of a card sends a valid message: a button speaks in the person's name, so no tool's free text
// may stand in it. The card's schema knows only the form; here the whole grammar of messages is applied.
import { CardError } from '../../cards/builders.ts'
import type { Card } from '../../model/card.ts'
import { parseMessage } from '../../confirm/message.ts'

/**
 * Answers the card if each of its messages is one, word for word.
 * @throws {CardError} naming the button.
 */
export function checkCardMessages(card: Card): Card {
  for (const { label, role, steps } of card.actions)
    for (const step of steps) {
      if (step.do !== 'SendMessage') continue
      const parsed = parseMessage(step.text)
      if (!parsed.ok)
        throw new CardError(`The button "${label}" does not send a valid message: ${parsed.failure.message}`)
      if (parsed.value.kind === 'apply' && role !== 'confirm')
        throw new CardError(`The button "${label}" applies a plan, and only Confirm may do so.`)
    }
  return card
}
