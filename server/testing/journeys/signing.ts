// The person's hands: finding the button that signs, pressing it, and doing what people do when a host mislays what they
// said. Our own card says what its buttons are called; other views are read by the usual words.
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { View } from '../host/host-page.ts'
import type { CardAction } from '../../model/card.ts'
import { cardOf, sentBy } from '../answer.ts'
import { findButton, type Button } from '../host/buttons.ts'
import { readThrough } from '../host/reading.ts'
import type { Stage } from './stage.ts'
import { Broken, until } from '../host/waiting.ts'
import { settled } from '../host/watching.ts'

/** A button of our own card. */
export const actionOf = (preview: CallToolResult, role: CardAction['role']): CardAction | undefined =>
  cardOf(preview)?.actions.find((action) => action.role === role)

/** The Apply message that stands in our own card document; a foreign server's is known only when its view sends it. */
export const applyMessage = (preview: CallToolResult): string | undefined => sentBy(cardOf(preview), 'confirm')

const cancelLabel = ({ labels }: Stage, preview: CallToolResult): string | undefined =>
  labels?.cancel ?? actionOf(preview, 'cancel')?.label

const cancelWords = /^(?:cancel|dismiss|reject|discard|no)\b/i
const confirmWords = /^(?:confirm|apply|approve|accept|create|delete|send|save|update|change|submit|yes|ok)\b/i

/** The button that signs, once it can be pressed. `undefined` where there is none. */
export async function confirmButton(
  stage: Stage,
  card: View,
  preview: CallToolResult,
  ms = patience(stage, preview, 'confirm').ms,
): Promise<Button | undefined> {
  await typePhrase(card, preview, ms)
  const name = stage.labels?.confirm ?? actionOf(preview, 'confirm')?.label ?? confirmWords
  return buttonIn(card, name, { ...patience(stage, preview, 'confirm'), ms })
}

/** The button that says no, once it can be pressed. `undefined` where there is none. */
export const cancelButton = (stage: Stage, card: View, preview: CallToolResult): Promise<Button | undefined> =>
  buttonIn(card, cancelLabel(stage, preview) ?? cancelWords, patience(stage, preview, 'cancel'))

/**
 * A slow machine is no bad host. Where our own card's document reaches the view, its button will come and is waited for;
 * any other view is done when it has settled without one.
 */
function patience({ profile }: Stage, preview: CallToolResult, role: CardAction['role']): Patience {
  const comes = profile.channels.includes('_meta') && actionOf(preview, role) !== undefined
  return comes ? { ms: 30_000, settles: false } : { ms: 4_000, settles: true }
}

interface Patience {
  readonly ms: number
  readonly settles: boolean
}

/** Of what cannot be taken back the person types the name, as the card asks. */
async function typePhrase(card: View, preview: CallToolResult, ms: number): Promise<void> {
  const phrase = cardOf(preview)?.confirm_phrase
  if (phrase === undefined) return
  const box = card.frame.locator('input:not([type=hidden]):not([readonly])').first()
  await box.fill(phrase, { timeout: Math.max(100, Math.min(ms, 5000)) }).catch(() => undefined)
}

/** Waits for a button to press, as long as the view may still come to have one; one that is there and dead is read for. */
export async function buttonIn(
  card: View,
  name: string | RegExp,
  { ms, settles }: Patience,
): Promise<Button | undefined> {
  const look = (): Promise<Button | undefined> => findButton(card.frame, name)
  let end = Date.now() + ms
  let button = await comes(card, look, { ms, settles })
  // It is there, but may have to be read for, or is not armed yet.
  while (button !== undefined && !button.isEnabled && Date.now() < end) {
    // Where the frame is smaller than the view, the person scrolls to the button first.
    await button.scrollTo().catch(() => undefined)
    if (await readThrough(card).catch(() => false)) end = Date.now() + ms
    await after(betweenLooksMs)
    button = await look()
  }
  return button?.isEnabled === true ? button : undefined
}

/** In milliseconds: looking takes the browser longer than asking. */
export const betweenLooksMs = 60

/** Views in which a button was waited for in vain. */
const withoutButton = new WeakSet<View>()

/** Waits until a button comes. A view that has settled without one will not have it, nor another one. */
async function comes(
  card: View,
  look: () => Promise<Button | undefined>,
  { ms, settles }: Patience,
): Promise<Button | undefined> {
  const end = Date.now() + ms
  let found = await look()
  if (settles) {
    if (found !== undefined || ms === 0 || withoutButton.has(card)) return found
    await Promise.race([settled(card, settledMs), after(ms)])
    found = await look()
    if (found === undefined) withoutButton.add(card)
    return found
  }
  while (found === undefined && Date.now() < end) {
    await after(betweenLooksMs)
    found = await look()
  }
  return found
}

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const settledMs = 1200

/** Presses Confirm and does what a person does in this host until the message is in the chat. */
export const press = (stage: Stage, card: View, confirm: Button, preview: CallToolResult): Promise<string> =>
  pressToSend(stage, card, confirm, () => confirmButton(stage, card, preview))

/** Presses a button that sends a message; `again` finds the one to press where the host has refused it. */
export async function pressToSend(
  stage: Stage,
  card: View,
  button: Button,
  again: () => Promise<Button | undefined>,
): Promise<string> {
  const { host, profile } = stage
  const before = host.messages.length
  const calls = host.toolCalls.length
  await button.press()
  await until(
    () => Promise.resolve(host.messages.length > before || ranInView(stage, calls)),
    () => 'the button sent nothing',
  )
  if (host.messages.length === before) return ''
  const sent = host.messages[before] ?? ''
  switch (profile.message) {
    case 'turn':
      return sent
    case 'prefill':
      return host.composer()
    case 'refuse': {
      await settled(card, refusedMs)
      const second = await again()
      if (second === undefined) throw new Broken('after a refused message nothing can be done')
      host.clearComposer()
      await second.press()
      await until(
        () => Promise.resolve(host.turns.length > 0),
        () => 'the second try sent nothing',
      )
      return host.turns.at(-1) ?? ''
    }
    case 'hang':
    case 'lose':
      return byHand(stage, card, sent)
    default:
      return profile.message satisfies never
  }
}

/** A view that was refused shows that it sends, and then that it could not. */
const refusedMs = 100

const ranInView = ({ host, tool }: Stage, from: number): boolean =>
  host.toolCalls.slice(from).some(({ name }) => name === tool.name)

/** Nothing came of the message: the person copies it from the view, or sends it again from there. */
async function byHand({ host }: Stage, card: View, sent: string): Promise<string> {
  await host.passTime(11_000)
  const holds = async (): Promise<boolean> => {
    const values: unknown = await card.frame.evaluate(valuesOfFields).catch(() => [])
    return (values as unknown[]).includes(sent) || (await card.text()).includes(sent.replace(/\s+/g, ' '))
  }
  const end = Date.now() + 6000
  while (Date.now() < end) {
    if ((await holds()) || (await findButton(card.frame, /copy|again|retry/i)) !== undefined) return sent
    await host.passTime(5_000)
  }
  throw new Broken(`the message is lost, and the view only says: ${(await card.text()).slice(0, 120)}`)
}

const valuesOfFields = "[...document.querySelectorAll('textarea, input')].map((field) => field.value)"
