// The built card in Chromium: decisions that must not be made by accident, values that must have been read, tables of
// thousands of rows, and readers of other languages.
import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { cardView } from '../../server/cards/card-view.ts'
import { readCardHtml } from './bare-host.ts'
import * as cards from './cards.ts'
import { button, pill, says, useCards } from './open-card.ts'
import { scriptedPlan } from './scripted-plan.ts'

const { APPLY, createOrder, deleteOrder, manyLines, partlyShipped, rewriteText, sendMails } = cards
const open = useCards()

describe('a critical decision', () => {
  const card = { ...deleteOrder, confirm_phrase: 'SO-1042' }

  test('wants the name typed, by keyboard alone, and records the click', async () => {
    const plan = scriptedPlan()
    const host = await open({ card, callTool: plan.callTool })
    const confirm = button(host, 'Delete order')
    const input = host.card.getByLabel('To confirm, type SO-1042')
    await input.waitFor()
    expect(await confirm.isDisabled()).toBe(true)
    await host.page.keyboard.press('Tab')
    expect(await input.evaluate((element) => element === document.activeElement)).toBe(true)
    await host.page.keyboard.type('SO-104')
    await host.page.keyboard.press('Enter')
    await host.page.waitForTimeout(600)
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
    const host = await open({ card: { ...sendMails, confirm_phrase: '4821' } })
    await host.card.getByLabel('To confirm, type 4821').pressSequentially('4821')
    await says(host, 'Open and read what is folded or scrolled away, then confirm.')
    await host.page.waitForTimeout(600)
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
    const host = await open({ card: { ...createOrder, blocks: [{ kind: 'code', text }] } })
    await says(host, 'Open and read what is folded or scrolled away, then confirm.')
    await host.page.waitForTimeout(600)
    expect(await button(host, 'Create order').isDisabled()).toBe(true)
    await host.card.locator('pre').evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await button(host, 'Create order').click()
    await pill(host, 'Sent to the chat')
  })

  test('is not read by a page that was never turned to', async () => {
    const long = { kind: 'text', text: 'x'.repeat(2_000) } as const
    const rows = Array.from({ length: 120 }, (_, at) => [at === 99 ? long : ({ kind: 'text', text: `${at}` } as const)])
    const block = { kind: 'table', label: 'Notes', columns: [{ label: 'Note' }], rows } as const
    const host = await open({ card: { ...createOrder, blocks: [block] } })
    const toEnd = (): Promise<void> => host.card.locator('.tall').evaluate((box) => box.scrollTo(0, box.scrollHeight))
    await says(host, 'Open and read what is folded or scrolled away, then confirm.')
    await toEnd()
    await button(host, 'Next').click()
    await toEnd()
    await button(host, 'Next').click()
    await says(host, '101–120 / 120')
    await toEnd()
    await says(host, 'Open and read what is folded or scrolled away, then confirm.')
    await button(host, 'Back').click()
    await host.card.locator('.long > summary').click()
    await host.card.locator('.unread').waitFor({ state: 'detached' })
    await button(host, 'Next').click()
    await button(host, 'Back').click()
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
  test('five thousand rows are one page at a time, sorted as numbers', async () => {
    const host = await open({ card: manyLines(5_000) })
    const rows = host.card.locator('tbody tr')
    await says(host, '1–50 / 5,000')
    expect(await rows.count()).toBe(50)
    await button(host, 'Next').click()
    await says(host, '51–100 / 5,000')
    expect(await rows.first().innerText()).toContain('Oak desk 0051')
    await host.card.getByRole('button', { name: 'Price', exact: true }).click()
    await says(host, '1–50 / 5,000')
    expect(await rows.first().innerText()).toContain('€0.50')
    await host.card.getByRole('button', { name: 'Price' }).click()
    expect(await rows.first().innerText()).toContain('€899.50')
    expect(await host.card.locator('th[aria-sort]').getAttribute('aria-sort')).toBe('descending')
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
  const words = async (): Promise<Record<string, string>> =>
    JSON.parse(await readFile(new URL('../../dist/ui/card/words.json', import.meta.url), 'utf8')) as Record<
      string,
      string
    >
  const inLanguage = async (locale: string, card = createOrder) =>
    open({
      card,
      html: cardView(await readCardHtml(), await words(), [locale]),
      context: { theme: 'light', locale, timeZone: 'UTC' },
    })

  test.each([
    ['de-DE', 'Vorschau', 'Abbrechen', /998,00.€/],
    ['fr-FR', 'Aperçu', 'Annuler', /998,00.€/],
    ['es-ES', 'Vista previa', 'Cancelar', /998,00.€/],
    ['ja-JP', 'プレビュー', 'キャンセル', /€998\.00/],
    ['ar-EG', 'معاينة', 'إلغاء', /./],
  ] as const)('%s', async (locale, preview, cancel, total) => {
    const host = await inLanguage(locale)
    await pill(host, preview)
    await button(host, cancel).waitFor()
    const html = host.card.locator('html')
    expect(await html.getAttribute('lang')).toBe(locale.slice(0, 2))
    expect(await html.getAttribute('dir')).toBe(locale === 'ar-EG' ? 'rtl' : 'ltr')
    expect(await host.card.locator('tfoot').innerText()).toMatch(total)
  })

  test('a card from the right has its decision on the left, and its identifiers whole', async () => {
    const host = await inLanguage('ar-EG', deleteOrder)
    const confirm = await button(host, 'Delete order').boundingBox()
    const title = await host.card.locator('.pill').boundingBox()
    expect(confirm?.x ?? 999).toBeLessThan(240)
    expect(title?.x ?? 999).toBeLessThan(240)
  })

  test('a language that the server did not insert, or nobody speaks, is English with its own numbers', async () => {
    const host = await open({ context: { locale: 'de-DE', timeZone: 'UTC' } })
    await pill(host, 'Preview')
    expect(await host.card.locator('tfoot').innerText()).toMatch(/998,00.€/)
  })
})
