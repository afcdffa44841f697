// The built card in Chromium: decisions that must not be made by accident, values that must have been read, tables of
// thousands of rows, and readers of other languages.
import { describe, expect, test } from 'vitest'
import { wordsMetaKey } from '../../server/tools/names.ts'
import * as cards from './cards.ts'
import { answered, button, inLanguage, inSightForAMoment, pill, says, scrollThrough, useCards } from './open-card.ts'
import { scriptedPlan } from './scripted-plan.ts'

const { APPLY, createOrder, deleteOrder, manyLines, partlyShipped, resultOf, rewriteText, sendMails } = cards
const open = useCards()

describe('a critical decision', () => {
  const card = { ...deleteOrder, confirm_phrase: 'SO-1042' }

  test('wants the name typed, by keyboard alone, and records the click', async () => {
    const plan = scriptedPlan()
    const host = await open({ card, callTool: plan.callTool, clock: true })
    const confirm = button(host, 'Delete order')
    const input = host.card.getByLabel('To confirm, type SO-1042')
    await input.waitFor()
    expect(await confirm.isDisabled()).toBe(true)
    await host.page.keyboard.press('Tab')
    expect(await input.evaluate((element) => element === document.activeElement)).toBe(true)
    await host.page.keyboard.type('SO-104')
    await host.page.keyboard.press('Enter')
    await inSightForAMoment(host)
    expect(await confirm.isDisabled()).toBe(true)
    await host.page.keyboard.type('2')
    await confirm.and(host.card.locator(':enabled')).waitFor()
    for (let stops = 0; stops < 6; stops++) {
      await host.page.keyboard.press('Tab')
      if (await confirm.evaluate((element) => element === document.activeElement)) break
    }
    await host.page.keyboard.press('Enter')
    expect(host.messages).toEqual([])
    await host.page.keyboard.press('Space')
    await pill(host, 'Sent to the chat')
    expect(host.messages).toEqual([APPLY])
    expect(plan.clicked).toBe(true)
  })

  test('keeps what was typed while the clock runs, and takes it away with the decision', async () => {
    const host = await open({ card, clock: true })
    const input = host.card.getByLabel('To confirm, type SO-1042')
    await input.pressSequentially('SO-1042')
    await host.page.clock.fastForward(5_000)
    expect(await input.inputValue()).toBe('SO-1042')
    await host.page.clock.fastForward(900_000)
    await pill(host, 'Expired')
    expect(await input.count()).toBe(0)
  })
})

describe('what will be applied', () => {
  test('must have been opened before it can be confirmed', async () => {
    const host = await open({ card: { ...sendMails, confirm_phrase: '4821' }, clock: true })
    await host.card.getByLabel('To confirm, type 4821').pressSequentially('4821')
    await says(host, 'Open and read what is folded or scrolled away, then confirm.')
    await button(host, 'Send 4,821 emails').scrollIntoViewIfNeeded()
    await inSightForAMoment(host)
    expect(await button(host, 'Send 4,821 emails').isDisabled()).toBe(true)
    await host.card.locator('.long > summary').click()
    // The opened text has pushed it out of sight, where nothing can be confirmed.
    await button(host, 'Send 4,821 emails').scrollIntoViewIfNeeded()
    await button(host, 'Send 4,821 emails').and(host.card.locator(':enabled')).waitFor()
    // Folding it again takes nothing back: it was seen.
    await host.card.locator('.long > summary').click()
    await button(host, 'Send 4,821 emails').click()
    await pill(host, 'Sent to the chat')
  })

  test('must have been scrolled to its end where it is long code', async () => {
    const text = Array.from({ length: 200 }, (_, at) => `line ${at}`).join('\n')
    const host = await open({ card: { ...createOrder, blocks: [{ kind: 'code', text }] }, clock: true })
    await says(host, 'Open and read what is folded or scrolled away, then confirm.')
    await inSightForAMoment(host)
    expect(await button(host, 'Create order').isDisabled()).toBe(true)
    await host.card.locator('pre').evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await button(host, 'Create order').click()
    await pill(host, 'Sent to the chat')
  })

  test('is not read where it is folded in a row, however far the table was scrolled and sorted', async () => {
    const long = { kind: 'text', text: 'x'.repeat(2_000) } as const
    const rows = Array.from({ length: 120 }, (_, at) => [
      at === 99 ? long : ({ kind: 'text', text: `a${at}` } as const),
    ])
    const block = { kind: 'table', label: 'Notes', columns: [{ label: 'Note' }], rows } as const
    const host = await open({ card: { ...createOrder, blocks: [block] } })
    await says(host, 'Open and read what is folded or scrolled away, then confirm.')
    await scrollThrough(host)
    expect(await host.card.locator('.left').count()).toBe(0)
    // Sorted by the note, it is again below all that is drawn.
    await button(host, 'Note').click()
    expect(await host.card.locator('.long').count()).toBe(0)
    await host.card.locator('.unread').waitFor()
    await scrollThrough(host)
    await host.card.locator('.long > summary').click()
    await host.card.locator('.unread').waitFor({ state: 'detached' })
    await host.card.getByRole('button', { name: 'Note' }).click()
    await answered(host)
    expect(await host.card.locator('.unread').count()).toBe(0)
    await button(host, 'Create order').scrollIntoViewIfNeeded()
    await button(host, 'Create order').click()
    await pill(host, 'Sent to the chat')
  })

  test.each([
    ['a long value', 'x'.repeat(2_000), undefined, true],
    ['what will be applied, however short', 'x', true, true],
    ['what its author leaves folded', 'x'.repeat(2_000), false, false],
    ['a short value', 'x', undefined, false],
  ] as const)('in a folded block: %s', async (_, text, applied, counts) => {
    const fields = [{ label: 'Arguments', value: { kind: 'text', text } }] as const
    const block = { kind: 'details', summary: 'Sent', fields, ...(applied === undefined ? {} : { applied }) } as const
    const host = await open({ card: { ...createOrder, blocks: [block] } })
    await button(host, 'Create order').waitFor()
    expect(await host.card.locator('.unread').count()).toBe(counts ? 1 : 0)
    if (counts) await host.card.getByText('Sent', { exact: true }).click()
    if (counts && text.length > 1) await host.card.locator('.long > summary').click()
    await host.card.locator('.unread').waitFor({ state: 'detached' })
    await button(host, 'Create order').scrollIntoViewIfNeeded()
    await button(host, 'Create order').click()
    await pill(host, 'Sent to the chat')
  })

  test('what stays as it is may stay folded', async () => {
    const value = { kind: 'text', text: 'x'.repeat(2_000) } as const
    const block = { kind: 'diff', changes: [], unchanged: [{ label: 'Notes', value }] } as const
    const host = await open({ card: { ...createOrder, blocks: [block] } })
    await button(host, 'Create order').click()
    await pill(host, 'Sent to the chat')
  })
})

describe('large and compared things', () => {
  test('five thousand rows are drawn as they are scrolled to, sorted as numbers', async () => {
    const host = await open({ card: manyLines(5_000) })
    const rows = host.card.locator('tbody tr')
    await says(host, 'and 4,950 more')
    expect(await rows.count()).toBe(50)
    await host.card.locator('.tall').focus()
    await host.page.keyboard.press('End')
    await says(host, 'and 4,900 more')
    expect(await rows.count()).toBe(100)
    await host.card.getByRole('button', { name: 'Price', exact: true }).click()
    await expect.poll(() => rows.first().innerText()).toContain('€0.50')
    await host.card.getByRole('button', { name: 'Price' }).click()
    await expect.poll(() => rows.first().innerText()).toContain('€899.50')
    expect(await host.card.locator('th[aria-sort]').getAttribute('aria-sort')).toBe('descending')
  })

  test('what was and what will be stand apart, and nothing is struck out where nothing was', async () => {
    const host = await open({ card: rewriteText })
    await host.card.locator('h1').waitFor()
    const gaps = await host.card.locator('del + ins').evaluateAll((pairs) =>
      pairs.map((after) => {
        const before = after.previousElementSibling?.getClientRects() ?? []
        const [first] = after.getClientRects()
        const last = [...before].at(-1)
        return first && last && first.top < last.bottom && last.top < first.bottom ? first.left - last.right : 9
      }),
    )
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(3)
    const change = {
      pointer: '/note',
      label: 'Note',
      before: { kind: 'text', text: '' },
      after: { kind: 'text', text: 'By noon' },
    } as const
    const empty = await open({ card: { ...createOrder, blocks: [{ kind: 'diff', changes: [change] }] } })
    await says(empty, 'By noon')
    expect(await empty.card.locator('del').count()).toBe(0)
  })

  test('texts are compared word by word, lists and records member by member, in words', async () => {
    const host = await open({ card: rewriteText })
    await host.card.locator('h1').waitFor()
    const struck = await host.card.locator('del').allInnerTexts()
    expect(struck.join('|')).toContain('30')
    expect(struck.join('|')).not.toContain('Dear Jane')
    for (const word of ['added', 'changed', 'removed', '9 unchanged', '2 unchanged']) await says(host, word)
  })

  test('a success says which steps were applied, and is not called applied where one was not', async () => {
    const host = await open({ card: partlyShipped })
    await pill(host, 'Partly applied')
    for (const word of ['verified', 'failed', 'not run', 'The mail server refused the address.']) await says(host, word)
  })
})

describe('readers of other languages', () => {
  const openIn = async (locale: string, card = createOrder) =>
    open({ card: inLanguage(card, locale), context: { theme: 'light', locale, timeZone: 'UTC' } })

  test.each([
    ['de-DE', 'Vorschau', 'Abbrechen', /998,00.€/],
    ['fr-FR', 'Aperçu', 'Annuler', /998,00.€/],
    ['es-ES', 'Vista previa', 'Cancelar', /998,00.€/],
    ['ja-JP', 'プレビュー', 'キャンセル', /€998\.00/],
    ['ar-EG', 'معاينة', 'إلغاء', /./],
    ['pt-BR', 'Pré-visualização', 'Cancelar', /998,00/],
  ] as const)('%s', async (locale, preview, cancel, total) => {
    const host = await openIn(locale)
    await pill(host, preview)
    await button(host, cancel).waitFor()
    const html = host.card.locator('html')
    expect(await html.getAttribute('lang')).toBe(locale.slice(0, 2))
    expect(await html.getAttribute('dir')).toBe(locale === 'ar-EG' ? 'rtl' : 'ltr')
    expect(await host.card.locator('tfoot').innerText()).toMatch(total)
  })

  test('a card from the right has its decision on the left, and its identifiers whole', async () => {
    const host = await openIn('ar-EG', deleteOrder)
    const confirm = await button(host, 'Delete order').boundingBox()
    const title = await host.card.locator('.pill').boundingBox()
    expect(confirm?.x ?? 999).toBeLessThan(240)
    expect(title?.x ?? 999).toBeLessThan(240)
  })

  test('read a card in English with their own numbers where its tool speaks nothing else, and words that do not fit the view', async () => {
    const context = { locale: 'de-DE', timeZone: 'UTC' }
    const host = await open({ context })
    await pill(host, 'Preview')
    expect(await host.card.locator('tfoot').innerText()).toMatch(/998,00.€/)
    const result = resultOf({ ...createOrder, language: 'de' })
    const foreign = await open({
      context,
      result: { ...result, _meta: { ...result._meta, [wordsMetaKey]: 'Vorschau|Ja' } },
    })
    await pill(foreign, 'Preview')
  })
})
