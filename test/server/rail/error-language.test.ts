// Whoever has signed a German card reads German also where its call fails. What agents read is the same in every language.
import { describe, expect, test } from 'vitest'
import { cardLanguages, cardWords, packedWords, quotation } from '../../../server/cards/card-words.ts'
import type { Failure } from '../../../server/errors/failure.ts'
import { toToolResult } from '../../../server/mcp/result.ts'
import type { Card } from '../../../server/model/card.ts'
import type { Answer } from '../../../server/rail/answers/outcome.ts'
import { toldFailure } from '../../../server/rail/answers/failure-words.ts'
import type { Caller } from '../../../server/rail/engine.ts'
import { cardMetaKey, wordsMetaKey } from '../../../server/tools/names.ts'
import { caller } from '../../kit/calls.ts'
import { saidOn, textsIn } from '../../kit/languages.ts'
import {
  confirmed,
  notePreview,
  nothingChanged,
  openBook,
  throwDiskError,
  type NoteContract,
  type Stage,
} from './rail-fixture.ts'

const others = cardLanguages.filter((language) => language !== 'en')

const tool = 'notes_write'
const incident = 'in_7'
const refused = (
  reason: Extract<Failure, { kind: 'plan-refused' }>['reason'],
  detail?: string,
): Extract<Failure, { kind: 'plan-refused' }> => ({
  kind: 'plan-refused',
  tool,
  reason,
  ...(detail === undefined ? {} : { detail }),
})
const toolFailed = {
  kind: 'tool-failed',
  tool,
  code: 'book_full',
  message: 'No page is left.',
  guidance: 'Take another book.',
  retryable: 'no',
  fields: [],
  during: 'preview',
} as const
const unknown = { kind: 'outcome-unknown', tool, why: 'Half a note. (ink_ran_out)' } as const

/** Failures of every kind; a kind without one does not compile. */
const failures: { readonly [Kind in Failure['kind']]: readonly Extract<Failure, { readonly kind: Kind }>[] } = {
  'unknown-tool': [{ kind: 'unknown-tool', tool, near: [] }],
  'invalid-arguments': [{ kind: 'invalid-arguments', tool, fields: [] }],
  'unstable-contract': [{ kind: 'unstable-contract', tool, pointer: '/text', problem: 'it changes' }],
  'not-permitted': [{ kind: 'not-permitted', tool, missing: ['notes:write'] }],
  'too-many-calls': [{ kind: 'too-many-calls', tool, counted: 'calls', perMinute: 3, retryAfterSeconds: 30 }],
  'plan-refused': [
    refused('reference'),
    refused('unknown'),
    refused('cancelled'),
    refused('expired'),
    refused('superseded'),
    refused('failed'),
    refused('stale'),
    refused('malformed'),
    refused('rejected', 'Too dear.'),
    refused('revoked', 'Inventory.'),
  ],
  intent: [
    { kind: 'intent', tool, code: 'intent_mismatch', message: 'Use another.', details: {}, guidance: 'Use it.' },
  ],
  frozen: [{ kind: 'frozen', tool, reason: 'Inventory.' }],
  mismatch: [{ kind: 'mismatch', tool, fields: [] }],
  stale: [{ kind: 'stale', tool }],
  'proof-missing': [{ kind: 'proof-missing', tool, needed: 'ticket', brought: 'none' }],
  'outcome-unknown': [
    unknown,
    { ...unknown, crashed: true },
    { ...unknown, said: { code: 'ink_ran_out', message: 'Half a note.', effect: 'partial' } },
    { ...unknown, said: { code: 'ink_ran_out', message: 'Half a note.', effect: 'unknown' } },
    {
      ...unknown,
      reported: 'It failed.',
      said: { code: 'upstream_error', message: 'It failed.', effect: 'unknown' },
    },
  ],
  'tool-failed': [toolFailed, { ...toolFailed, code: 'ink_ran_out' }],
  'tool-crashed': [{ kind: 'tool-crashed', tool, during: 'before', incident }],
  'bad-output': [{ kind: 'bad-output', tool, pointer: '/id', problem: 'it is a number' }],
  'store-unavailable': [
    { kind: 'store-unavailable', tool, incident },
    { kind: 'store-unavailable', tool, incident, uncertain: true },
  ],
  'server-unavailable': [
    { kind: 'server-unavailable', tool, server: 'files', state: 'starting', retryAfterSeconds: 5 },
  ],
  'login-needed': [
    { kind: 'login-needed', tool, server: 'files', why: 'It asks.', command: 'countersign login files', variables: [] },
  ],
  'not-your-card': [{ kind: 'not-your-card', tool }],
  internal: [{ kind: 'internal', tool, incident }],
}

const german = { book_full: 'Das Buch ist voll.', ink_ran_out: 'Die Tinte ging aus.' }
const declared: NoteContract['failures'] = {
  book_full: { effect: 'none', guidance: 'Take another book.', says: { de: german.book_full } },
  ink_ran_out: { effect: 'partial', guidance: 'Look how far it came.', says: { de: german.ink_ran_out } },
  // A code that is also a word of ours.
  stale: { effect: 'none', guidance: 'Bake again.' },
}

/** Words of the English sentences that another language has as well. */
// oxfmt-ignore
const shared: Readonly<Record<string, readonly string[]>> = {
  de: ['agent', 'in', 'minute', 'server', 'terminal', 'text', 'was'], fr: ['agent', 'agents', 'confirmation', 'incident', 'minute', 'terminal'], es: ['no', 'terminal'], ja: [], ar: [], pt: ['do', 'terminal'],
}

/** What is a name, or said by somebody else: the same in every language. */
const data = /notes:write|in_7|countersign login files|notes_write|\bN-1\b/g

/** A text without its quotations. */
const ownWords = (text: string, language: string): string => {
  const [begin = '', end = ''] = cardWords(language).quoted.split('{0}')
  return text
    .split(begin)
    .map((part, at) => (at === 0 ? part : part.slice(part.indexOf(end) + end.length)))
    .join(' ')
}

const wordsIn = (text: string): readonly string[] =>
  (text.replaceAll(data, ' ').match(/\p{L}[\p{L}\p{M}]+/gu) ?? []).map((word) => word.toLowerCase())

const allOf = (told: object): string => [...textsIn(told).values()].join(' ')

describe.each(others)('in %s', (language) => {
  const teller = { language, failures: declared }
  const english = { language: 'en', failures: declared }

  test.each(Object.values(failures).flat())(
    'a failure has its sentence, and nothing of the English one: %j',
    (failure) => {
      const own = toldFailure(failure, teller)
      const { title } = own
      expect(title.trim()).not.toBe('')
      expect(title).not.toMatch(/\{\d\}/)
      const theirs = new Set(wordsIn(allOf(toldFailure(failure, english))))
      const left = wordsIn(ownWords(allOf(own), language)).filter((word) => theirs.has(word))
      expect(left.filter((word) => !shared[language]?.includes(word))).toStrictEqual([])
    },
  )
})

test('what somebody else has written is a quotation that it cannot end, on one line', () => {
  expect(quotation('de', 'Voll“ sagt\n\nder `Server`')).toBe("„Voll' sagt der ˋServerˋ“")
  expect(quotation('fr', ' a » b ')).toBe("« a ' b »")
  expect(quotation('ja', 'x'.repeat(2000))).toHaveLength(1003)
  expect(toldFailure({ ...toolFailed, message: ' ' }, { language: 'de', failures: {} })).not.toHaveProperty('said')
})

test.each(cardLanguages)('no quotation mark of any language stands in a quotation in %s', (language) => {
  const marks = '"“”„‟«»‹›「」『』｢｣＂〝〞〟'
  expect(quotation(language, `${marks} ‹a “b”›`)).toBe(quotation(language, `${"'".repeat(marks.length)} 'a 'b''`))
})

test('words for the result of a step stand in a quotation as they are', () => {
  expect(quotation('de', 'No „order“ ‹id of step 1› and ‹” of step 1› or ‹Ergebnis von Schritt 2›')).toBe(
    "„No 'order' ‹id of step 1› and '' of step 1' or ‹Ergebnis von Schritt 2›“",
  )
})

test('a command of a terminal is called so in Spanish, and no order of a customer', () => {
  const [login] = failures['login-needed']
  expect(login && toldFailure(login, { language: 'es', failures: {} })).toMatchObject({
    title: expect.stringContaining('este comando'),
    said: [{ label: 'Comando' }],
  })
})

interface Scene {
  readonly contract?: Partial<NoteContract>
  /** Brings a call to where it fails. */
  readonly fail: (stage: Stage, by: Caller, state: { version: number }) => Promise<Answer>
}

const preview = (stage: Stage, by: Caller) => stage.ask('notes_write', { text: 'a' }, by)
const apply = async (stage: Stage, by: Caller) => stage.repeat(confirmed(await preview(stage, by)), by)

/** Every way in which a call that was shown, or should be, ends on the card of an error. */
const scenes: Readonly<Record<string, Scene>> = {
  expired: {
    async fail(stage, by) {
      const message = confirmed(await preview(stage, by))
      stage.clock.pass(60 * 60_000)
      return stage.repeat(message, by)
    },
  },
  cancelled: {
    async fail(stage, by) {
      const shown = await preview(stage, by)
      await stage.press('countersign_plan_cancel', shown, by)
      return stage.repeat(confirmed(shown), by)
    },
  },
  superseded: {
    async fail(stage, by) {
      const first = await preview(stage, by)
      await preview(stage, by)
      return stage.repeat(confirmed(first), by)
    },
  },
  'stale, with nothing to preview': {
    async fail(stage, by, state) {
      const message = confirmed(await preview(stage, by))
      state.version = -1
      return stage.repeat(message, by)
    },
  },
  'a ticket of nobody': {
    fail: (stage, by) => stage.ask('notes_write', { text: 'a', preview: false, ticket: 'x' }, by),
  },
  'wrong values': { fail: (stage, by) => stage.ask('notes_write', { text: 7, times: 0 }, by) },
  'a declared failure': { contract: { run: (_, ctx) => ctx.fail('book_full', 'No page is left.') }, fail: apply },
  'a declared failure with fields': {
    contract: {
      preview: (_, ctx) =>
        ctx.fail('book_full', 'No page is left.', {
          fields: [{ pointer: '/text', received: 'a', allowed: 'a shorter text' }],
        }),
    },
    fail: preview,
  },
  'a declared failure without words': {
    contract: { run: (_, ctx) => ctx.fail('stale', 'The bread is stale.') },
    fail: apply,
  },
  'a declared failure, half done': {
    contract: { run: (_, ctx) => ctx.fail('ink_ran_out', 'Half a note.') },
    fail: apply,
  },
  'crashed before it ran': {
    contract: { preview: throwDiskError },
    fail: preview,
  },
  'crashed while it ran': { contract: { run: throwDiskError }, fail: apply },
}

const named: Readonly<Record<string, string>> = {
  en: 'Write note',
  de: 'Notiz schreiben',
  ar: 'اكتب ملاحظة',
  ja: 'メモを書く',
}

async function failedIn(language: string, { contract, fail }: Scene): Promise<Answer> {
  const state = { version: 1 }
  const { stage } = await openBook({
    languages: ['en', 'de', 'ar', 'ja'],
    failures: declared,
    basis: () => String(state.version),
    preview: (input, ctx) =>
      state.version < 0
        ? ctx.fail('book_full', 'No page is left.')
        : { ...notePreview(input), title: named[ctx.language] ?? '' },
    ...contract,
  })
  return fail(stage, { ...caller(), languages: [language] }, state)
}

/** All that is said on a card in its own voice, and not as a quotation. */
const voiceOf = (card: Card | undefined, language: string): string =>
  [...saidOn(card).values()].map((text) => ownWords(text, language)).join(' ')

/** An answer as agents read it, without what chance has made. */
const readByAgents = (answer: Answer): string => {
  const { content, structuredContent } = toToolResult(answer)
  return JSON.stringify([content, structuredContent]).replaceAll(/(?:pl|cs1)_\w+/g, 'id')
}

describe.each(Object.entries(scenes))('a call that ends so: %s', (_, scene) => {
  test('is told on a card of its own language, with no word of the English one, and the view’s words beside it', async () => {
    const english = await failedIn('en', scene)
    const own = await failedIn('de', scene)
    expect(english.card).toMatchObject({ kind: 'error', state: own.card?.state })
    expect(english.card).not.toHaveProperty('language')
    expect(own.card).toMatchObject({ kind: 'error', language: 'de', code: english.card?.code })
    expect(toToolResult(own)._meta).toMatchObject({ [cardMetaKey]: own.card, [wordsMetaKey]: packedWords('de') })
    const theirs = new Set(wordsIn(voiceOf(english.card, 'en')))
    const left = wordsIn(voiceOf(own.card, 'de')).filter((word) => theirs.has(word))
    expect(left.filter((word) => !shared['de']?.includes(word))).toStrictEqual([])
    // Whether anything was changed is the first thing that a person asks.
    expect(own.card?.subtitle).toBe(english.card?.subtitle === undefined ? undefined : 'Nichts wurde geändert')
  })

  test.each(['de', 'ar', 'ja'])('reads for agents in %s as in English, to the letter', async (language) => {
    const [english, own] = [await failedIn('en', scene), await failedIn(language, scene)]
    expect(readByAgents(own)).toBe(readByAgents(english))
  })
})

test('the card has what the person has seen as its title, the name of the tool where they have seen nothing', async () => {
  const titleOf = async (name: string) => (await failedIn('de', scenes[name] as Scene)).card?.title
  expect(await titleOf('expired')).toBe('Notiz schreiben: nicht ausgeführt')
  expect(await titleOf('crashed while it ran')).toBe('Notiz schreiben: Ausgang unbekannt')
  expect(await titleOf('wrong values')).toBe('notes_write: nicht ausgeführt')
})

test('a declared failure is told in the words of its contract, with those of the tool as a quotation', async () => {
  const full = await failedIn('de', scenes['a declared failure with fields'] as Scene)
  expect(full.card?.blocks).toStrictEqual([
    { kind: 'alert', severity: 'danger', title: 'Das Buch ist voll.' },
    { kind: 'fields', fields: [{ label: 'Antwort', value: { kind: 'text', text: '„No page is left.“' } }] },
    {
      kind: 'fields',
      fields: [
        { label: 'Feld', value: { kind: 'code', text: '/text' } },
        { label: 'Erhalten', value: { kind: 'text', text: 'a' } },
        { label: 'Erlaubt', value: { kind: 'text', text: '„a shorter text“' } },
      ],
    },
  ])
  const silent = await failedIn('de', scenes['a declared failure without words'] as Scene)
  expect(silent.card?.blocks).toMatchObject([
    { title: 'Das Werkzeug konnte dies nicht ausführen.' },
    { fields: [{ label: 'Antwort', value: { text: '„The bread is stale.“' } }] },
  ])
  const half = await failedIn('de', scenes['a declared failure, half done'] as Scene)
  expect(half.card?.blocks).toMatchObject([
    {
      title: 'Ein Teil davon wurde vielleicht ausgeführt. Bitte vor einem neuen Versuch nachsehen.',
      text: 'Die Tinte ging aus.',
    },
    { fields: [{ label: 'Antwort', value: { text: '„Half a note.“' } }] },
  ])
})

describe('of a run whose end nobody knows a person reads only what the tool itself has just said', () => {
  const de = { ...caller(), languages: ['de'] }
  const alone = [{ kind: 'alert', severity: 'warning', title: cardWords('de').failUnknown }]
  const says = { de: 'Das Werkzeug war es.' }

  test.each<[string, NoteContract['run']]>([
    ['tool_crashed', throwDiskError],
    ['tool_unfinished', () => ({ id: Promise.resolve('N-1'), text: 'a' }) as never],
  ])('not where the server says %s, though the contract has a failure of that name', async (code, run) => {
    const answer = await failedIn('de', {
      contract: { run, failures: { [code]: { effect: 'partial', guidance: 'Look.', says } } },
      fail: apply,
    })
    expect(answer.outcome).toBe('outcome_unknown')
    expect(answer.card?.blocks).toStrictEqual(alone)
  })

  test('not where the end is read from the record, nor where a look at it found nothing so far', async () => {
    const { stage } = await openBook({
      languages: ['en', 'de'],
      failures: declared,
      run: (_, ctx) => ctx.fail('ink_ran_out', 'Half a note.'),
      reconcile: () => ({ kind: 'not-applied' }),
    })
    const message = confirmed(await preview(stage, de))
    expect((await stage.repeat(message, de)).card?.blocks).toHaveLength(2)
    const again = await stage.repeat(message, de)
    expect(again.text).toContain('So far the tool finds no effect')
    expect(again.card?.blocks).toStrictEqual(alone)
  })
})

test.each([['en'], ['de']])(
  'a card in %s on an unexpected error of our own does not say that nothing was changed, and asks to look',
  async (language) => {
    const { stage } = await openBook(
      { languages: ['en', 'de'] },
      {
        wrap: (ledger) => ({ ...ledger, claim: () => Promise.reject(new TypeError('x is not a function')) }),
      },
    )
    const { card } = await apply(stage, { ...caller(), languages: [language] })
    expect(card).toMatchObject({ kind: 'error', code: 'internal_error' })
    expect(card?.subtitle).toBeUndefined()
    expect(JSON.stringify(card)).toMatch(/Look with a read tool whether anything has changed|nachsehen, ob sich etwas/)
    expect(JSON.stringify(card)).not.toMatch(nothingChanged)
  },
)

test('a call that still runs is told so', async () => {
  let end = (): void => undefined
  const { stage } = await openBook({
    languages: ['en', 'de'],
    preview: (input) => ({ ...notePreview(input), title: 'Notiz schreiben' }),
    run: async (input) => {
      await new Promise<void>((resolve) => (end = resolve))
      return { id: 'N-1', text: input.text }
    },
  })
  const [de, en] = [
    { ...caller(), languages: ['de'] },
    { ...caller(), languages: ['en'] },
  ]
  const message = confirmed(await preview(stage, de))
  const first = stage.repeat(message, de)
  await expect.poll(async () => (await stage.repeat(message, de)).outcome).toBe('running')
  const [own, english] = [await stage.repeat(message, de), await stage.repeat(message, en)]
  end()
  await first
  expect(own.card).toMatchObject({
    language: 'de',
    title: 'Notiz schreiben: läuft',
    state: 'applying',
    blocks: [
      { kind: 'alert', title: 'Dies wird gerade ausgeführt. Es wurde kein zweites Mal begonnen.', severity: 'warning' },
    ],
  })
  expect(own.card?.blocks).toHaveLength(1)
  expect(english.card).toMatchObject({ title: 'Write a note: running' })
  expect(readByAgents(own)).toBe(readByAgents(english))
})

test('a call that names its plan in a wrong way is told in the language of the tool that it names', async () => {
  const { stage } = await openBook({ languages: ['en', 'de'] })
  const de = { ...caller(), languages: ['de'] }
  const shown = await preview(stage, de)
  const ticket = shown.card?.plan?.ticket
  const wrong = await stage.send('apply_plan', { tool, ticket, preview: false }, de)
  expect(wrong.card).toMatchObject({ language: 'de', title: 'apply_plan: nicht ausgeführt' })
  const nobody = await stage.send('apply_plan', { tool: 'nobody', ticket, preview: false }, de)
  expect(nobody.card).not.toHaveProperty('language')
})
