// The built card in Chromium, under the policy that hosts enforce, with the official library at the other end of the
// wire, in hosts that behave as badly as real ones do.
import { describe, expect, test } from 'vitest'
import { readCardHtml } from './bare-host.ts'
import * as cards from './cards.ts'
import { answered, button, pill, says, useCards } from './open-card.ts'
import { scriptedPlan } from './scripted-plan.ts'

const { APPLY, PREVIEW_AGAIN, createOrder, deleteOrder, orderChanged, resultOf } = cards

const open = useCards()

describe('a call that runs', () => {
  test('shows for how long, how far it has got, and can be cancelled where its tool takes notice', async () => {
    const plan = scriptedPlan()
    plan.state = 'applying'
    plan.more = { running_ms: 65_000, progress: { done: 3, total: 10, message: 'Mails' }, cancel: 'possible' }
    const host = await open({ callTool: plan.callTool })
    await pill(host, 'Applying…')
    await says(host, /Running for 1:0\d/)
    await says(host, '3 / 10')
    const bar = host.card.getByRole('progressbar')
    expect([await bar.getAttribute('value'), await bar.getAttribute('max')]).toEqual(['3', '10'])
    await button(host, 'Cancel').click()
    await pill(host, 'Cancelling…')
    expect(host.toolCalls.map(({ name }) => name)).toContain('countersign_plan_cancel')
    expect(await button(host, 'Cancel').isDisabled()).toBe(true)
    // Nobody knows how much there is.
    plan.more = { ...plan.more, progress: { done: 4 } }
    await host.card.locator('.progress .fig').getByText('4', { exact: true }).waitFor()
    expect(await bar.getAttribute('value')).toBe(null)
    expect(host.messages).toEqual([])
    plan.state = 'applied'
    plan.more = {}
    await pill(host, 'Applied 12:03')
  })

  test('does not call somebody back who has left it for the chat', async () => {
    const plan = scriptedPlan()
    plan.state = 'applying'
    plan.more = { running_ms: 65_000, cancel: 'possible' }
    const host = await open({ callTool: plan.callTool })
    await button(host, 'Cancel').focus()
    await host.page.evaluate(() => document.body.appendChild(document.createElement('input')).focus())
    plan.state = 'applied'
    plan.more = {}
    await pill(host, 'Applied 12:03')
    expect(await host.page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
  })

  test('has no button where its tool takes no notice, and what is no progress is not drawn', async () => {
    const plan = scriptedPlan()
    plan.state = 'applying'
    plan.more = { running_ms: 2_000, progress: { done: 'some', total: 9 }, cancel: 'perhaps' }
    const host = await open({ callTool: plan.callTool })
    await says(host, /Running for 0:0\d/)
    expect(await button(host, 'Cancel').count()).toBe(0)
    expect(await host.card.getByRole('progressbar').count()).toBe(0)
  })
})

test('the foot of a success says who signed, and which plan it was to whoever looks for it', async () => {
  const host = await open({ card: { ...orderChanged, signed: 'Signed by you · 2026-11-21T12:03:00Z' } })
  const plan = host.card.getByText(/^Plan /)
  expect(await plan.isVisible()).toBe(false)
  await host.card.getByText('Signed by you').click()
  await plan.waitFor()
})

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
    // The call itself is the agent's to repeat.
    expect(host.toolCalls.map(({ name }) => name).filter((name) => !name.startsWith('countersign_plan_'))).toEqual([])
    expect(asked.find((message) => message.method === 'ui/message')?.params).toEqual({
      role: 'user',
      content: [{ type: 'text', text: APPLY }],
    })
  })

  test('a double click sends one message', async () => {
    const host = await open({ callTool: scriptedPlan().callTool })
    await button(host, 'Create order').dblclick()
    await pill(host, 'Sent to the chat')
    await answered(host)
    expect(host.messages).toEqual([APPLY])
    expect(host.toolCalls.filter(({ name }) => name === 'countersign_plan_confirm')).toHaveLength(1)
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
    await answered(host)
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

  test.each([false, true])(
    'is whole and in its theme at its first drawing, also with a result before the greeting (%s)',
    async (early) => {
      // Without the moment, however slow this machine is.
      const first = `const start = setTimeout
    window.setTimeout = (run, ms, ...rest) => (ms === 100 ? 0 : start(run, ms, ...rest))
    new MutationObserver((_, observer) => {
      if (document.querySelector('main') === null) return
      observer.disconnect()
      document.body.dataset.first = document.querySelector('main').textContent
      document.body.dataset.ground = getComputedStyle(document.querySelector('.go')).backgroundColor
    }).observe(document, { childList: true, subtree: true })`
      const html = (await readCardHtml()).replace('<head>', () => `<head><script>${first}</script>`)
      const host = await open({ early, html, context: { theme: 'dark', locale: 'en-GB', timeZone: 'UTC' } })
      await button(host, 'Create order').waitFor()
      const body = host.card.locator('body')
      expect(await body.getAttribute('data-first')).toContain(createOrder.title)
      // A colour that glides there would come from another theme.
      const grounds = button(host, 'Create order').evaluate(async (element) => {
        await Promise.all(element.getAnimations().map(({ finished }) => finished))
        return getComputedStyle(element).backgroundColor
      })
      expect(await body.getAttribute('data-ground')).toBe(await grounds)
    },
  )

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
    await answered(host)
    expect(await button(host, 'Create order').count()).toBe(0)
  })

  test('a second, foreign result does not move in; its own does', async () => {
    const host = await open({ callTool: scriptedPlan().callTool })
    await button(host, 'Create order').waitFor()
    await host.sendResult(resultOf({ ...orderChanged, plan_id: 'pl_somebody_else' }))
    await host.sendResult(resultOf({ ...deleteOrder, plan: { id: 'pl_x', ticket: 'cs1_x', expires_in_ms: 60_000 } }))
    await answered(host)
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
    await answered(host)
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
    const host = await open({ result: undefined })
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

  test('the last minute is announced', async () => {
    const plan = scriptedPlan()
    plan.expiresInMs = 90_000
    const host = await open({ callTool: plan.callTool, clock: true })
    await says(host, /^Valid for 1:/)
    await host.page.clock.fastForward(40_000)
    await host.card.getByRole('status').getByText('One minute left to confirm').waitFor()
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
