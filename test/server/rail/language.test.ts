// In which language the card of a call is written: whole, or in English.
import { describe, expect, test } from 'vitest'
import { packedWords } from '../../../server/cards/card-words.ts'
import { toToolResult } from '../../../server/mcp/result.ts'
import { cardMetaKey, wordsMetaKey } from '../../../server/tools/names.ts'
import type { Caller } from '../../../server/rail/engine.ts'
import { caller } from '../../kit/calls.ts'
import { confirmed, notePreview, openBook, type NoteContract } from './rail-fixture.ts'

const german = { en: 'Write note', de: 'Notiz schreiben' } as const
const inLanguage = (language: string): string => german[language as 'en' | 'de']

/** A note whose tool speaks English and German, and a state that the test moves. */
const speaking = (state: { version: number }): Partial<NoteContract> => ({
  languages: ['en', 'de'],
  preview: (input, ctx) => ({
    ...notePreview(input),
    title: inLanguage(ctx.language),
    confirmLabel: inLanguage(ctx.language),
  }),
  basis: () => String(state.version),
  cards: { success: (_input, { id }, { language }) => ({ title: `${inLanguage(language)}: ${id}` }) },
})

const reading = (...languages: readonly string[]): Caller => ({ ...caller(), languages })
const de = reading('tlh', 'de-AT', 'en')

describe('a card', () => {
  test('is in the first language of its reader that its tool speaks, and so is what we say on it', async () => {
    const state = { version: 1 }
    const { stage } = await openBook(speaking(state))
    const preview = await stage.ask('notes_write', { text: 'a' }, de)
    expect(preview.card).toMatchObject({ language: 'de', title: 'Notiz schreiben' })
    state.version = 2
    const stale = await stage.repeat(confirmed(preview), de)
    expect(stale.outcome).toBe('stale')
    expect(stale.card?.blocks[0]).toMatchObject({
      title: 'Nicht ausgeführt: Seit Ihrem Blick hat sich etwas geändert.',
    })
    await stage.press('countersign_plan_confirm', stale, de)
    const applied = await stage.repeat(confirmed(stale), de)
    expect(applied.card).toMatchObject({ language: 'de', title: 'Notiz schreiben: N-1' })
    expect(applied.card?.signed).toMatch(/^Auf der Karte bestätigt · 2026/)
    // A replay does not know by what the call was applied.
    expect((await stage.repeat(confirmed(stale), de)).card).not.toHaveProperty('signed')
    const again = await stage.ask('notes_write', { text: 'a' }, de)
    expect(again.card?.blocks).toContainEqual(
      expect.objectContaining({ title: expect.stringMatching(/^Derselbe Aufruf wurde vor \d+ Sekunden schon/) }),
    )
  })

  test('brings the words of the view along, in the result of the tool and beside the card alone', async () => {
    const { stage } = await openBook(speaking({ version: 1 }))
    const result = toToolResult(await stage.ask('notes_write', { text: 'a' }, de))
    expect(result._meta?.[wordsMetaKey]).toBe(packedWords('de'))
    expect(JSON.stringify([result.content, result.structuredContent])).not.toContain('Vorschau')
    const english = toToolResult(await stage.ask('notes_write', { text: 'b' }))
    expect(english._meta?.[cardMetaKey]).toBeDefined()
    expect(english._meta).not.toHaveProperty(wordsMetaKey)
  })

  test.each<[string, readonly string[]]>([
    ['nothing', []],
    ['a language that its tool does not speak', ['fr']],
    ['what is no language', ['__proto__', '', '*']],
  ])('of a reader who wants %s is in the own language of its tool', async (_what, languages) => {
    const { stage } = await openBook(speaking({ version: 1 }))
    const { card } = await stage.ask('notes_write', { text: 'a' }, reading(...languages))
    expect(card).toMatchObject({ title: 'Write note' })
    expect(card).not.toHaveProperty('language')
  })

  test('is in English where its tool says nothing of languages, or has no words of its own for what came of it', async () => {
    const { stage } = await openBook()
    const preview = await stage.ask('notes_write', { text: 'a' }, de)
    expect(preview.card).not.toHaveProperty('language')
    const silent = await openBook({ ...speaking({ version: 1 }), cards: {} })
    const shown = await silent.stage.ask('notes_write', { text: 'a' }, de)
    const applied = await silent.stage.repeat(confirmed(shown), de)
    expect(applied.card).toMatchObject({ title: 'Write a note: done' })
    expect(applied.card).not.toHaveProperty('language')
  })

  test('is in the language of the settings where its client says nothing', async () => {
    const { stage } = await openBook(speaking({ version: 1 }), { settings: { languages: ['de_DE.UTF-8'] } })
    expect((await stage.ask('notes_write', { text: 'a' })).card).toMatchObject({ language: 'de' })
    expect((await stage.ask('notes_write', { text: 'b' }, reading('en'))).card).not.toHaveProperty('language')
  })

  test('of a tool that speaks German alone is German, whoever reads it', async () => {
    const { stage } = await openBook({ ...speaking({ version: 1 }), languages: ['de'] })
    expect((await stage.ask('notes_write', { text: 'a' }, reading('en'))).card).toMatchObject({ language: 'de' })
  })
})

test('a click is a signature where its host is trusted, a confirmation elsewhere, and a ticket alone is neither', async () => {
  const { stage } = await openBook()
  const signed = async (by: Caller | undefined) => {
    const preview = await stage.ask('notes_write', { text: String(Math.random()) })
    if (by !== undefined) await stage.press('countersign_plan_confirm', preview, by)
    return (await stage.repeat(confirmed(preview))).card?.signed
  }
  expect(await signed({ ...caller(), trusted: true })).toMatch(/^Signed by you · 2026/)
  expect(await signed({ ...caller(), trusted: false })).toMatch(/^Confirmed on the card · 2026/)
  expect(await signed(undefined)).toBeUndefined()
})

test('nobody is said to have signed what an agent alone repeated by the id of its plan', async () => {
  const { stage } = await openBook({ risk: 'medium' })
  const preview = await stage.ask('notes_write', { text: 'a' })
  const applied = await stage.ask('notes_write', { text: 'a', ticket: preview.planId, preview: false })
  expect(applied.outcome).toBe('applied')
  expect(applied.card).not.toHaveProperty('signed')
})
