// The built card in Chromium, under the policy that hosts enforce, with the official library at the other end of the
// wire, in hosts that behave as badly as real ones do.
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Card } from '../../server/cards/card.ts'
import { type BareHost, type BareHostOptions, openBareHost } from './bare-host.ts'
import { launchBrowser } from './browser.ts'
import * as cards from './cards.ts'
import { scriptedPlan } from './scripted-plan.ts'

const { APPLY, CANCEL, PREVIEW_AGAIN, changeOrder, createOrder, deleteOrder, orderChanged, orderFailed, resultOf } =
  cards

let browser: Browser
const opened: BareHost[] = []

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(() => browser.close())

afterEach(async () => {
  const complaints = opened.flatMap((host) => host.complaints)
  await Promise.all(opened.splice(0).map((host) => host.close()))
  // No policy violation and no uncaught error, in any host whatsoever.
  expect(complaints).toEqual([])
})

const open = async (options: BareHostOptions & { card?: Card } = {}): Promise<BareHost> => {
  const { card = createOrder, ...rest } = options
  const context = { theme: 'light', locale: 'en-GB', timeZone: 'UTC' }
  const host = await openBareHost(browser, { result: resultOf(card), context, ...rest })
  opened.push(host)
  return host
}

const button = (host: BareHost, name: string) => host.card.getByRole('button', { name, exact: true })
const pill = (host: BareHost, text: string) => host.card.locator('.pill').getByText(text, { exact: true }).waitFor()
const says = (host: BareHost, text: string | RegExp) => host.card.getByText(text).first().waitFor()

describe('confirming', () => {
  test("sends the server's own text once, as an array with one block, after the click was recorded", async () => {
    const plan = scriptedPlan()
    const host = await open({ callTool: plan.callTool })
    await button(host, 'Create order').click()
    await pill(host, 'Sent to the chat')
    expect(host.messages).toEqual([APPLY])
    expect(plan.clicked).toBe(true)
    const asked = (await host.wire()).flatMap(({ from, message }) =>
      from === 'card' && 'method' in message ? [message] : [],
    )
    const order = asked.map((message) => (message.method === 'tools/call' ? message.params?.['name'] : message.method))
    expect(order.indexOf('countersign_plan_confirm')).toBeLessThan(order.indexOf('ui/message'))
    expect(asked.find((message) => message.method === 'ui/message')?.params).toEqual({
      role: 'user',
      content: [{ type: 'text', text: APPLY }],
    })
  })

  test('a double click sends one message', async () => {
    const host = await open({ callTool: scriptedPlan().callTool })
    await button(host, 'Create order').dblclick()
    await pill(host, 'Sent to the chat')
    await host.page.waitForTimeout(200)
    expect(host.messages).toEqual([APPLY])
  })

  test('Enter does not confirm and says what does; Tab and Space do', async () => {
    const host = await open({ callTool: scriptedPlan().callTool })
    const confirm = button(host, 'Create order')
    await confirm.and(host.card.locator(':enabled')).waitFor()
    // From the top of the page, as somebody without a mouse would come.
    for (let stops = 0; stops < 12; stops++) {
      await host.page.keyboard.press('Tab')
      if (await confirm.evaluate((element) => element === document.activeElement)) break
    }
    await host.page.keyboard.press('Enter')
    await says(host, 'Enter does not confirm here. Press Space, or click.')
    expect(host.messages).toEqual([])
    await host.page.keyboard.press('Space')
    await pill(host, 'Sent to the chat')
    expect(host.messages).toEqual([APPLY])
    // What had the focus is gone; the title has it now.
    expect(await host.card.locator('h1').evaluate((element) => element === document.activeElement)).toBe(true)
  })

  test('nothing has the focus when a card opens', async () => {
    const host = await open({ callTool: scriptedPlan().callTool })
    await button(host, 'Create order').waitFor()
    expect(await host.card.locator('body').evaluate(() => document.activeElement === document.body)).toBe(true)
  })

  test('is not possible before the card has been in sight for a moment', async () => {
    const host = await open({ clock: true, result: { content: [] } })
    await host.page.clock.pauseAt(Date.now() + 60_000)
    await host.remount({ result: resultOf(createOrder) })
    await button(host, 'Create order').waitFor()
    expect(await button(host, 'Create order').isDisabled()).toBe(true)
    await expect
      .poll(async () => {
        await host.page.clock.runFor(200)
        return button(host, 'Create order').isEnabled()
      })
      .toBe(true)
  })

  test('a script in the frame cannot click it', async () => {
    const host = await open({ callTool: scriptedPlan().callTool })
    const confirm = button(host, 'Create order')
    await confirm.and(host.card.locator(':enabled')).waitFor()
    await confirm.evaluate((element: HTMLButtonElement) => element.click())
    await host.page.waitForTimeout(200)
    expect(host.messages).toEqual([])
    await confirm.waitFor()
  })

  test('the new state is announced, a refusal interrupts', async () => {
    const host = await open({ callTool: scriptedPlan().callTool })
    const region = host.card.locator('[role=status][aria-live=polite]')
    await button(host, 'Create order').click()
    await region.getByText('Create a sales order for ACME. Sent to the chat.').waitFor()
    const refusing = await open({ message: 'refuse' })
    await button(refusing, 'Create order').click()
    await refusing.card.getByRole('alert').getByText('The chat did not take the message.').waitFor()
  })
})

describe('hosts that do something else with the message', () => {
  test.each([
    ['refuse', 'The message box is not empty'],
    ['error', 'Messages from cards are not allowed here'],
  ] as const)(
    '%s: back to ready with the reason, the text to copy, and a Confirm that works',
    async (message, reason) => {
      const host = await open({ message, callTool: scriptedPlan().callTool })
      await button(host, 'Create order').click()
      await pill(host, 'Not sent')
      await says(host, new RegExp(reason))
      expect(await host.card.getByLabel('Message for the chat').inputValue()).toBe(APPLY)
      await host.behave({ message: 'accept' })
      await button(host, 'Create order').click()
      await pill(host, 'Sent to the chat')
      expect(host.messages).toEqual([APPLY])
    },
  )

  test('hang: says that there was no answer, and sends the same text again', async () => {
    const host = await open({ message: 'hang', callTool: scriptedPlan().callTool, clock: true })
    await button(host, 'Create order').click()
    await pill(host, 'Sending…')
    await host.page.clock.fastForward(10_500)
    await pill(host, 'No answer yet')
    await host.behave({ message: 'accept' })
    await button(host, 'Send again').click()
    await pill(host, 'Sent to the chat')
    expect(host.messages).toEqual([APPLY])
  })

  test('prefill: the box holds the text and the card says to press Enter', async () => {
    const host = await open({ message: 'prefill', callTool: scriptedPlan().callTool })
    await button(host, 'Create order').click()
    await says(host, 'If the message is in the box below, press')
    expect(await host.composer()).toBe(APPLY)
  })

  test('lose: after a while the same text can be sent again', async () => {
    const host = await open({ message: 'lose', callTool: scriptedPlan().callTool, clock: true })
    await button(host, 'Create order').click()
    await pill(host, 'Sent to the chat')
    expect(await button(host, 'Send again').count()).toBe(0)
    await host.behave({ message: 'accept' })
    await host.page.clock.fastForward(15_500)
    await button(host, 'Send again').click()
    await expect.poll(() => host.messages).toEqual([APPLY])
  })
})

describe('hosts that leave something out or add something', () => {
  test('no tool input', async () => {
    const host = await open({ toolInput: null, callTool: scriptedPlan().callTool })
    await button(host, 'Create order').click()
    await expect.poll(() => host.messages).toEqual([APPLY])
  })

  test('no _meta: readable, without Confirm, with the way out', async () => {
    const host = await open({ result: cards.withoutMeta(resultOf(createOrder)), callTool: scriptedPlan().callTool })
    await says(host, 'This view did not receive the card that can be confirmed.')
    expect(await host.card.locator('h1').innerText()).toBe('Create a sales order for ACME')
    expect(await host.card.getByRole('button').count()).toBe(0)
  })

  test('no server tools: Confirm at once, and no call on the wire', async () => {
    const host = await open()
    await button(host, 'Create order').click()
    await pill(host, 'Sent to the chat')
    const methods = (await host.wire()).map(({ message }) => ('method' in message ? message.method : ''))
    expect(methods).not.toContain('tools/call')
    expect(host.messages).toEqual([APPLY])
  })

  test('a result before the greeting is not lost', async () => {
    const host = await open({ early: true, callTool: scriptedPlan().callTool })
    await button(host, 'Create order').click()
    await expect.poll(() => host.messages).toEqual([APPLY])
  })

  test('an old result, replayed: a used plan has no Confirm', async () => {
    const plan = scriptedPlan()
    const host = await open({ callTool: plan.callTool })
    await button(host, 'Create order').waitFor()
    plan.state = 'applied'
    await host.remount()
    await pill(host, 'Applied 12:03')
    expect(await button(host, 'Create order').count()).toBe(0)
    await host.sendResult(resultOf(createOrder))
    await host.page.waitForTimeout(200)
    expect(await button(host, 'Create order').count()).toBe(0)
  })

  test('a second, foreign result does not move in; its own does', async () => {
    const host = await open({ callTool: scriptedPlan().callTool })
    await button(host, 'Create order').waitFor()
    await host.sendResult(resultOf({ ...orderChanged, plan_id: 'pl_somebody_else' }))
    await host.sendResult(resultOf({ ...deleteOrder, plan: { id: 'pl_x', ticket: 'cs1_x', expires_in_ms: 60_000 } }))
    await host.page.waitForTimeout(200)
    expect(await host.card.locator('h1').innerText()).toBe('Create a sales order for ACME')
    await host.sendResult(resultOf(orderChanged))
    await says(host, 'Order SO-1042 changed')
    expect(await button(host, 'Create order').count()).toBe(0)
  })

  test('messages from another window are not heard', async () => {
    const host = await open({ callTool: scriptedPlan().callTool })
    await button(host, 'Create order').waitFor()
    const message = { jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: resultOf(orderChanged) }
    await host.postFromStranger(message)
    await host.page.waitForTimeout(200)
    expect(await host.card.locator('h1').innerText()).toBe('Create a sales order for ACME')
    // The same from the parent is heard: it was the window that made the difference.
    await host.post(message)
    await says(host, 'Order SO-1042 changed')
  })

  test('junk on the wire changes nothing', async () => {
    const host = await open({ callTool: scriptedPlan().callTool })
    await button(host, 'Create order').waitFor()
    for (const junk of [null, 'x', 7, [], { jsonrpc: '2.0' }, { jsonrpc: '2.0', id: 1, result: 3 }])
      await host.post(junk)
    await button(host, 'Create order').click()
    await expect.poll(() => host.messages).toEqual([APPLY])
  })

  test('a malformed card says where it is wrong', async () => {
    const broken = { ...createOrder, blocks: [{ kind: 'fields', fields: [{ label: 1 }] }] }
    const host = await open({ result: { content: [], _meta: { 'countersign/card': broken } } })
    await says(host, 'This card cannot be shown.')
    await says(host, 'First fault at /blocks/0/fields/0/label')
  })

  test('a call that was stopped, and a teardown', async () => {
    const host = await openBareHost(browser)
    opened.push(host)
    await says(host, 'Waiting for the result of the call…')
    await host.cancelTool('Stopped by the user')
    await says(host, 'The call was stopped before it answered.')
    expect(await host.teardown()).toEqual({})
  })
})

describe("the plan's truth", () => {
  test.each([
    ['applied', 'Applied 12:03'],
    ['cancelled', 'Cancelled'],
    ['superseded', 'Replaced'],
    ['expired', 'Expired'],
    ['applying', 'Applying…'],
    ['failed', 'Failed'],
    ['stale', 'Not applied'],
    ['unknown', 'Outcome unknown'],
  ] as const)('a plan that is %s when the card opens has no Confirm', async (state, words) => {
    const plan = scriptedPlan()
    plan.state = state
    const host = await open({ callTool: plan.callTool })
    await pill(host, words)
    expect(await button(host, 'Create order').count()).toBe(0)
    expect(await button(host, 'Cancel').count()).toBe(0)
  })

  test('a server that does not answer: ready after a while, and says that it was not checked', async () => {
    const plan = scriptedPlan()
    plan.answers = false
    const host = await open({ callTool: plan.callTool, clock: true })
    await says(host, 'Checking…')
    expect(await button(host, 'Create order').isDisabled()).toBe(true)
    await host.page.clock.fastForward(4_000)
    await says(host, 'The state of this card could not be checked.')
    await button(host, 'Create order').click()
    await pill(host, 'Sending…')
    await host.page.clock.fastForward(3_500)
    await expect.poll(() => host.messages).toEqual([APPLY])
  })

  test('a plan used meanwhile is found out at the click, and no message goes out', async () => {
    const plan = scriptedPlan()
    const host = await open({ callTool: plan.callTool })
    await button(host, 'Create order').and(host.card.locator(':enabled')).waitFor()
    plan.state = 'applied'
    await button(host, 'Create order').click()
    await pill(host, 'Applied 12:03')
    expect(host.messages).toEqual([])
  })

  test('the preview card itself ends as applied', async () => {
    const plan = scriptedPlan()
    const host = await open({ callTool: plan.callTool, onMessage: () => void (plan.state = 'applying') })
    await button(host, 'Create order').click()
    await pill(host, 'Applying…')
    plan.state = 'applied'
    await pill(host, 'Applied 12:03')
  })

  test('a click from before the reload is shown as sent', async () => {
    const plan = scriptedPlan()
    plan.clicked = true
    const host = await open({ callTool: plan.callTool })
    await says(host, 'This was confirmed before.')
    await button(host, 'Send again').click()
    await expect.poll(() => host.messages).toEqual([APPLY])
  })

  test('its time runs out: no Confirm, nothing was changed, a new preview can be asked for', async () => {
    const host = await open({ clock: true })
    await button(host, 'Create order').waitFor()
    await says(host, /^Valid for 14:3/)
    await host.page.clock.fastForward(900_000)
    await pill(host, 'Expired')
    await says(host, 'Nothing was changed')
    expect(await button(host, 'Create order').count()).toBe(0)
    await button(host, 'Preview again').click()
    await expect.poll(() => host.messages).toEqual([PREVIEW_AGAIN])
  })
})

describe('cancelling', () => {
  test('revokes the plan and tells the chat', async () => {
    const plan = scriptedPlan()
    const host = await open({ callTool: plan.callTool })
    await button(host, 'Cancel').click()
    await pill(host, 'Cancelled')
    await says(host, 'This preview can no longer be applied.')
    await expect.poll(() => host.messages).toEqual([CANCEL])
    expect(plan.state).toBe('cancelled')
  })

  test('is possible after sending, until the apply starts', async () => {
    const plan = scriptedPlan()
    const host = await open({ callTool: plan.callTool, message: 'prefill' })
    await button(host, 'Create order').click()
    await pill(host, 'Sent to the chat')
    await button(host, 'Cancel').click()
    await pill(host, 'Cancelled')
    expect(plan.state).toBe('cancelled')
  })

  test('too late, it says what happened instead and sends nothing', async () => {
    const plan = scriptedPlan()
    const host = await open({ callTool: plan.callTool })
    await button(host, 'Create order').click()
    await pill(host, 'Sent to the chat')
    plan.state = 'applied'
    await button(host, 'Cancel').click()
    await pill(host, 'Applied 12:03')
    expect(host.messages).toEqual([APPLY])
  })

  test('without server tools and with a chat that refuses, the text can be taken along', async () => {
    const host = await open({ message: 'refuse' })
    await button(host, 'Cancel').click()
    await pill(host, 'Cancelled')
    expect(await host.card.getByLabel('Message for the chat').inputValue()).toBe(CANCEL)
  })
})

describe('other things to do', () => {
  test('a link is opened by the host; where it refuses, the address can be copied', async () => {
    const host = await open({ card: orderChanged })
    await host.card.getByRole('link', { name: 'Open SO-1042' }).click()
    await expect.poll(() => host.links).toEqual(['https://orders.example/SO-1042'])
    await host.remount({ links: false })
    await host.card.getByRole('link', { name: 'Open SO-1042' }).click()
    await says(host, 'The host did not open the link.')
    expect(await host.card.getByLabel('Address').inputValue()).toBe('https://orders.example/SO-1042')
  })

  test('the details of an error are copied, or shown selected where copying is blocked', async () => {
    const host = await open({ card: orderFailed })
    await button(host, 'Copy details').click()
    await host.card.locator('.when').getByText('Copied').waitFor()
    await host.remount()
    await host.card.locator('body').evaluate(() => {
      document.execCommand = () => false
      Object.defineProperty(navigator, 'clipboard', { value: undefined })
    })
    await button(host, 'Copy details').click()
    const area = host.card.getByLabel('Copying is blocked here.')
    await area.waitFor()
    expect(await area.inputValue()).toContain('code: unknown_sku')
    expect(await area.evaluate((element: HTMLTextAreaElement) => element.selectionEnd)).toBeGreaterThan(50)
  })
})

describe('looks', () => {
  const background = (host: BareHost): Promise<string> =>
    host.card.locator('.card').evaluate((element) => getComputedStyle(element).backgroundColor)

  test('takes the theme from the host, changes with it, and falls back to what the browser prefers', async () => {
    const host = await open({ context: { theme: 'dark' } })
    await button(host, 'Create order').waitFor()
    expect(await background(host)).toBe('rgb(29, 30, 32)')
    await host.changeContext({ theme: 'light' })
    await expect.poll(() => background(host)).toBe('rgb(255, 255, 255)')
    const silent = await open({ context: {}, browserContext: { colorScheme: 'dark' } })
    await button(silent, 'Create order').waitFor()
    expect(await background(silent)).toBe('rgb(29, 30, 32)')
  })

  test("takes the host's colours where they can be read, and its own where they cannot", async () => {
    const variables = {
      '--color-background-primary': 'light-dark(#fffaf0, #101010)',
      '--color-text-primary': '#222',
      '--color-text-secondary': '#fdf6e3',
    }
    const host = await open({ context: { theme: 'light', styles: { variables } } })
    await button(host, 'Create order').waitFor()
    expect(await background(host)).toBe('rgb(255, 250, 240)')
    const sub = await host.card.locator('.sub').evaluate((element) => getComputedStyle(element).color)
    expect(sub).toBe('rgb(85, 89, 95)')
  })

  test.each(Object.entries(cards).flatMap(([name, card]) => (typeof card === 'object' ? [[name, card] as const] : [])))(
    '%s fits into 320 pixels, and the frame is as high as the card',
    async (_, card) => {
      const host = await open({ card, width: 320 })
      await host.card.locator('footer').waitFor()
      const page = host.card.locator('html')
      expect(await page.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
      await expect
        .poll(() => page.evaluate((element) => Math.abs(element.scrollHeight - window.innerHeight)))
        .toBeLessThanOrEqual(1)
    },
  )

  test('fingers get targets of 44 pixels', async () => {
    const host = await open({ card: changeOrder, browserContext: { hasTouch: true, isMobile: true } })
    await button(host, 'Change 3 fields').waitFor()
    const heights = await host.card
      .locator('button, summary')
      .evaluateAll((all) => all.map((element) => element.getBoundingClientRect().height))
    for (const height of heights) expect(height).toBeGreaterThanOrEqual(44)
  })

  test('hostile text stays text', async () => {
    const evil = '<img src=x onerror="document.title=1"><script>document.title=2</script>\u202E'
    const host = await open({
      card: {
        ...createOrder,
        title: `Pay ${evil}`,
        claim: evil,
        blocks: [{ kind: 'fields', fields: [{ label: evil, value: { kind: 'text', text: evil } }] }],
      },
    })
    await button(host, 'Create order').waitFor()
    expect(await host.card.locator('img, script:not([type=module])').count()).toBe(0)
    expect(await host.card.locator('.mark').allInnerTexts()).toEqual(['U+202E', 'U+202E', 'U+202E', 'U+202E'])
  })
})
