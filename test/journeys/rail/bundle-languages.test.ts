// A bundle of the order desk, read in another language: whole in it where the tools of all its steps speak it, else in English.
import { expect, test } from 'vitest'
import { packedWords } from '../../../server/cards/card-words.ts'
import { wordsMetaKey } from '../../../server/tools/names.ts'
import { besideEnglish, saidOn } from '../../kit/languages.ts'
import { confirm, overHttp, ticketOf, type Agent, type Reply } from '../agent.ts'
import { freshDatabase } from '../at-end.ts'
import { demoHere } from '../in-process.ts'

const create = (customer: string, sku: string) => ({
  tool: 'orders_create',
  arguments: { customer, lines: [{ sku, quantity: 2 }] },
})
const note = { tool: 'orders_modify', arguments: { id: 'SO-1007', note: 'Ring twice' } }
const broken = { tool: 'stock_adjust', arguments: { sku: 'MAT-02', delta: -1, reason: 'one is broken' } }

/** What a caller wrote, and names of the desk. */
const written =
  /Monday morning|Ring twice|one is broken|ACME|Globex|Contoso|Northwind|[A-Z]+-\d+|Oak desk 160|Desk mat|Task chair|Floor lamp/g

const reading = async (languages: string): Promise<Agent> =>
  overHttp((await demoHere(freshDatabase())).mcp, { headers: { 'accept-language': languages } })

/** Previews a bundle and confirms it. */
async function cardsFor(by: Agent, plans: readonly object[]): Promise<readonly [Reply, Reply]> {
  const preview = await by.call('plan_bundle', { plans, title: 'Monday morning' })
  await by.client.callTool({ name: 'countersign_plan_confirm', arguments: { ticket: ticketOf(preview) } })
  return [preview, await confirm(by, preview)]
}

test('a bundle whose tools all speak the language of its reader is in it, before and after it has run', async () => {
  const plans = [create('ACME', 'DESK-01'), note, broken]
  const english = await cardsFor(await reading('en'), plans)
  const own = await cardsFor(await reading('de-AT, en;q=0.5'), plans)
  for (const [at, { card, raw }] of own.entries()) {
    expect(card?.language).toBe('de')
    expect(raw._meta?.[wordsMetaKey]).toBe(packedWords('de'))
    const left = besideEnglish(saidOn(english[at]?.card), saidOn(card), written)
    expect(left.flatMap(({ text, left: words }) => (words.length === 0 ? [] : [text]))).toStrictEqual([])
  }
})

test('of a bundle that stopped, the card says in the language of its reader why and what is left', async () => {
  const reader = await reading('de')
  const [, stopped] = await cardsFor(reader, [create('ACME', 'DESK-01'), create('Globex', 'DESK-01'), note])
  expect(stopped.card).toMatchObject({
    language: 'de',
    title: '1 von 3 Änderungen ausgeführt',
    subtitle: '„Monday morning“',
  })
  expect(stopped.card?.blocks[0]).toMatchObject({
    kind: 'steps',
    steps: [
      { label: 'Auftrag SO-1009 angelegt', state: 'applied' },
      {
        label: 'Auftrag für Globex anlegen',
        state: 'failed',
        note: 'Worauf der Schritt beruht, hat sich seit Ihrem Blick geändert. Er braucht eine neue Vorschau.',
      },
      { label: 'Auftrag SO-1007 ändern', state: 'not-run' },
    ],
  })
  expect(stopped.card?.actions.map(({ label }) => label)).toStrictEqual([
    'Vorschau des Rests…',
    'Auftrag SO-1009 löschen…',
  ])
  // What the agent reads of it is in English, but for the titles.
  expect(JSON.stringify(stopped.data)).toContain('What it rests on has changed since you looked')
})

test('a bundle of tools of two kinds is in the language that all of them speak', async () => {
  const reader = await reading('de')
  const { data } = await reader.call('create_session', { language: 'python' })
  const { session_id } = data['result'] as { readonly session_id: string }
  const reset = { tool: 'reset_workspace', arguments: { session_id } }
  const [preview, applied] = await cardsFor(reader, [create('ACME', 'DESK-01'), reset])
  for (const { card, raw } of [preview, applied]) {
    expect(card?.language).toBe('de')
    expect(raw._meta?.[wordsMetaKey]).toBe(packedWords('de'))
  }
  expect(preview.card?.title).toBe('2 Änderungen: „Monday morning“')
  const blocks = JSON.stringify(preview.card?.blocks)
  expect(blocks).toContain('1. Auftrag für ACME anlegen')
  expect(blocks).toContain('2. 0 Dateien löschen')
  expect(applied.card?.title).toBe('2 Änderungen ausgeführt')
})
