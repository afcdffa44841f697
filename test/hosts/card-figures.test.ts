// One amount in two forms on one screen makes a person compare where there is nothing to compare.
import { expect, test } from 'vitest'
import type { Card } from '../../server/model/card.ts'
import { figureText, type Figure } from '../../server/cards/figures.ts'
import { createOrder } from './cards.ts'
import { button, inLanguage, useCards } from './open-card.ts'

const open = useCards()

const total: Figure = { kind: 'money', amount: '1234567.89', currency: 'EUR' }
const due: Figure = { kind: 'date', iso: '2026-11-28', precision: 'day' }
const weight: Figure = { kind: 'number', value: '12345.5', unit: 'kg' }
const shares: Figure = { kind: 'number', value: '98765.25' }

const all = [total, due, weight, shares]
const said = all.map(figureText).join(' and ')

/** The four figures in fields, and in every kind of sentence. */
const card: Card = {
  ...createOrder,
  title: `Pay ${said}`,
  subtitle: said,
  blocks: [
    { kind: 'fields', fields: all.map((value) => ({ label: value.kind, value })) },
    { kind: 'text', text: `**${said}**\n\n- ${said}` },
    { kind: 'effects', effects: [said] },
    { kind: 'alert', severity: 'warning', title: said, text: said },
    { kind: 'steps', steps: [{ label: said, state: 'planned', note: said }] },
  ],
  actions: createOrder.actions.map((action) =>
    action.role === 'confirm' ? { ...action, label: `Pay ${figureText(total)}` } : action,
  ),
}

test.each([
  ['en-GB', ['€1,234,567.89', '28 Nov 2026', '12,345.5 kg', '98,765.25']],
  ['de-DE', ['1.234.567,89 €', '28.11.2026', '12.345,5 kg', '98.765,25']],
] as const)('a card in %s shows a figure in one form wherever it stands', async (locale, forms) => {
  const context = { theme: 'light', locale, timeZone: 'UTC' }
  const host = await open({ card: inLanguage(card, locale), context, width: 900 })
  const pay = `Pay ${forms[0]}`
  await button(host, pay).waitFor()
  const text = (await host.card.locator('main').innerText()).replaceAll(/[\u00A0\u202F]/g, ' ')
  // A field, and eight sentences.
  for (const form of forms) expect(text.split(form).length - 1, form).toBeGreaterThanOrEqual(9)
  expect(text).not.toMatch(/EUR|2026-11|1234567|12345|98765|[\u2007\u2011\u2024]/)
})

test('a value and an argument of somebody else that look like a figure stay as they are', async () => {
  const text = figureText(total)
  const host = await open({
    card: {
      ...createOrder,
      claim: text,
      blocks: [{ kind: 'fields', fields: [{ label: text, value: { kind: 'text', text } }] }],
    },
  })
  await button(host, 'Create order').waitFor()
  expect((await host.card.locator('main').innerText()).split(text)).toHaveLength(4)
})
