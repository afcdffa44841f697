// Every state of every kind of card, in both themes, through axe-core's rules for WCAG 2.2 AA; and what axe cannot see:
// text at twice its size, forced colours, no motion.
import { describe, expect, test } from 'vitest'
import type { Card } from '../../server/model/card.ts'
import { planStates } from '../../server/model/plan-store.ts'
import { bundle, bundlePartly } from '../../ui/playground/gallery/bundles.ts'
import { longList, readList } from '../../ui/playground/gallery/reading.ts'
import { casesOf } from '../full.ts'
import { violations as frameViolations } from '../kit/axe.ts'
import type { BareHost } from './bare-host.ts'
import * as cards from './cards.ts'
import { button, useCards } from './open-card.ts'
import { scriptedPlan } from './scripted-plan.ts'

const open = useCards()

/** Of a card that its host shows in light, and then of the same card in dark. */
const violations = async (host: BareHost): Promise<readonly string[]> => {
  await host.card.locator('main').waitFor()
  const frame = host.page.frames().find((one) => one.parentFrame() !== null)
  if (frame === undefined) return ['the card has no frame']
  const light = await frameViolations(frame)
  await host.changeContext({ theme: 'dark' })
  await host.card.locator('html[style*="color-scheme: dark"]').waitFor()
  const dark = await frameViolations(frame, { rules: 'colours' })
  return [...light, ...dark.map((found) => `dark: ${found}`)]
}

const kinds: readonly (readonly [string, Card])[] = [
  ...Object.entries(cards).flatMap(([name, card]) => (typeof card === 'object' ? [[name, card] as const] : [])),
  ['bundle', bundle],
  ['bundlePartly', bundlePartly],
  ['approval', { ...cards.changeOrder, kind: 'approval', state: 'info', actions: [] }],
  ['info', { ...cards.createOrder, kind: 'info', state: 'info', actions: [] }],
  ['typed', { ...cards.deleteOrder, confirm_phrase: 'SO-1042' }],
]

/** Every kind of block, and every kind of decision. */
const someKinds = casesOf(kinds, ([name]) => name, [
  'changeOrder',
  'deleteOrder',
  'staleOrder',
  'orderFailed',
  'editFile',
  'deleteRows',
  'openIssue',
  'sendMails',
  'table120',
  'partlyShipped',
  'bundle',
  'bundlePartly',
  'approval',
  'typed',
])
/** What stays open in the chat, with the text to take along. */
const someMessages = casesOf(['accept', 'refuse', 'prefill'] as const, String, ['refuse'])
/** One that can be signed, one that ran, one of which nobody knows. */
const someStates = casesOf(planStates, String, ['open', 'applied', 'unknown'])

/** A button that is half faded in has the contrast of neither of its two states. */
const withoutMotion = { reducedMotion: 'reduce' } as const

describe('axe finds nothing in either theme', () => {
  test('in a list that is read on, with one of its rows open, by keyboard alone', async () => {
    const callTool = async (name: string, args: Readonly<Record<string, unknown>>) => ({
      content: [],
      structuredContent: {
        plan_id: longList.plan?.id,
        state: 'open',
        changed_at: '2026-11-21T12:03:00Z',
        clicked: false,
      },
      _meta: { ...readList(name, args) },
    })
    const host = await open({ browserContext: withoutMotion, card: longList, callTool })
    await button(host, 'Show more').press('Enter')
    await host.card.getByText('and 4,701 more').waitFor()
    await button(host, 'Mia Olsen').first().press('Space')
    await host.card.getByText('Hello Mia Olsen,').waitFor()
    expect(await violations(host)).toStrictEqual([])
  })

  test('in a long list, in which Tab stops once and arrow keys lead from row to row', async () => {
    const host = await open({
      browserContext: withoutMotion,
      card: longList,
      callTool: async (name: string, args: Readonly<Record<string, unknown>>) => ({
        content: [],
        structuredContent: { plan_id: longList.plan?.id, state: 'open', clicked: false },
        _meta: { ...readList(name, args) },
      }),
    })
    const rows = host.card.locator('[aria-expanded]')
    await rows.first().focus()
    for (const key of ['ArrowUp', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp']) await host.page.keyboard.press(key)
    expect(await rows.nth(2).evaluate((row) => row === document.activeElement)).toBe(true)
    await host.page.keyboard.press('Tab')
    expect(await button(host, 'Show more').evaluate((more) => more === document.activeElement)).toBe(true)
    await host.page.keyboard.press('Shift+Tab')
    expect(await rows.nth(2).evaluate((row) => row === document.activeElement)).toBe(true)
    await host.page.keyboard.press('Shift+Tab')
    expect(await host.card.locator('.pages :focus').count()).toBe(0)
    expect(await violations(host)).toStrictEqual([])
  })

  test('in any kind of card, any state of a plan, any answer of a host, any result without a card', async () => {
    const host = await open({ browserContext: withoutMotion })
    const found: string[] = []
    const look = async (name: string): Promise<void> => {
      for (const violation of await violations(host)) found.push(`${name}: ${violation}`)
    }
    for (const [name, card] of someKinds) {
      await host.remount({ result: cards.resultOf(card) })
      await host.card.locator('h1').waitFor()
      for (const fold of await host.card.locator('summary').all()) await fold.click()
      await look(name)
    }
    for (const message of someMessages) {
      await host.remount({ result: cards.resultOf(cards.createOrder), message })
      await button(host, 'Create order').click()
      await host.card.locator('.note').first().waitFor()
      await look(message)
    }
    await host.remount({ result: cards.withoutMeta(cards.resultOf(cards.changeOrder)) })
    await look('without its card')
    await host.remount({ result: { content: [], _meta: { 'countersign/card': { version: 1 } } } })
    await look('malformed')
    await host.remount({ result: undefined })
    await look('waiting')
    expect(found).toEqual([])
  })

  test('wherever its plan stands', async () => {
    const plan = scriptedPlan()
    const host = await open({ callTool: plan.callTool, browserContext: withoutMotion })
    const found: string[] = []
    for (const state of someStates) {
      plan.state = state
      await host.remount()
      await host.card.locator('.when:not(:text("Checking…"))').waitFor({ state: 'attached' })
      for (const violation of await violations(host)) found.push(`${state}: ${violation}`)
    }
    expect(found).toEqual([])
  })
})

describe('what axe cannot see', () => {
  const overflow = (host: BareHost): Promise<number> =>
    host.card.locator('html').evaluate((element) => element.scrollWidth - element.clientWidth)

  test('at twice the size of text nothing is cut at 320 pixels', async () => {
    for (const card of [cards.changeOrder, cards.sendMails, cards.rewriteText, cards.table120]) {
      const host = await open({ card, width: 320 })
      await host.card.locator('h1').waitFor()
      await host.card.locator('html').evaluate((element) => void (element.style.zoom = '2'))
      expect(await overflow(host)).toBeLessThanOrEqual(0)
    }
  })

  test('in forced colours the decision and the change keep their edges', async () => {
    const host = await open({
      card: cards.changeOrder,
      browserContext: { forcedColors: 'active', reducedMotion: 'reduce' },
    })
    const confirm = button(host, 'Change 3 fields')
    await confirm.waitFor()
    expect(await confirm.evaluate((element) => getComputedStyle(element).borderTopWidth)).toBe('2px')
    expect(await confirm.evaluate((element) => getComputedStyle(element).transitionDuration)).toMatch(/^0s/)
    const decoration = await host.card
      .locator('ins')
      .first()
      .evaluate((element) => getComputedStyle(element).textDecorationLine)
    expect(decoration).toBe('underline')
  })
})
