// Who speaks in a bundle: what agents read is in English or plainly a quotation, and what a person reads is in their language or
// plainly a quotation.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { resultBlocks } from '../../../../server/rail/bundles/bundle-card.ts'
import { bundlesFor, type BundleStep } from '../../../../server/rail/bundles/bundle-contract.ts'
import { saysStandIn } from '../../../../server/rail/bundles/references.ts'
import { runningNext } from '../../../../server/rail/answers/plan-answers.ts'
import { ended, staleStep } from '../../../../server/rail/bundles/step-ends.ts'
import { caller } from '../../../kit/calls.ts'
import { writeTool } from '../../../kit/tools.ts'
import { confirmed, createStage, why } from '../rail-fixture.ts'

const titles: Readonly<Record<string, string>> = { en: 'Bake bread', de: 'Brot backen' }

/** A bakery that speaks English and German, whose bread may be blocked by its preview, and fails by codes that we have, too. */
const bake = writeTool({
  name: 'bread.bake',
  languages: ['en', 'de'],
  input: z.strictObject({ of: z.string() }),
  output: z.strictObject({ of: z.string() }),
  failures: {
    stale: { effect: 'none', guidance: 'Bake another.' },
    cancelled: { effect: 'none', guidance: 'Ask the baker.' },
    no_flour: { effect: 'none', guidance: 'Buy flour.' },
  },
  preview: ({ of }, ctx) => ({
    title: `${titles[ctx.language]} (${of})`,
    summary: '-',
    confirmLabel: '-',
    ...(of === 'nothing'
      ? {
          blocked: {
            code: 'no_flour',
            title: ctx.language === 'de' ? 'Es ist kein Mehl da.' : 'There is no flour.',
            text: ctx.language === 'de' ? 'Kaufen Sie welches.' : 'Buy some.',
          },
        }
      : {}),
  }),
  run: ({ of }, ctx) =>
    of === 'stale' || of === 'cancelled' ? ctx.fail(of, `The bread of ${of} is no good.`) : { of },
})

const loaf = (of: string) => ({ tool: 'bread_bake', arguments: { of } })

async function asked(language: string, plans: readonly object[]) {
  const stage = await createStage([bake, ...bundlesFor([bake], false)])
  const reader = { ...caller(), languages: [language] }
  const shown = await stage.send(
    'apply_bundle',
    { plans, title: 'Bread', on_failure: 'continue', rationale: why },
    reader,
  )
  return { shown, confirm: () => stage.repeat(confirmed(shown), reader) }
}

describe('a bundle with a step that is blocked', () => {
  const plans = [loaf('rye'), loaf('nothing')]

  test('tells agents so in English', async () => {
    const { shown } = await asked('en', plans)
    expect(shown.guidance?.message).toBe('Step 2 (bread_bake) cannot be previewed: There is no flour. Buy some.')
  })

  test('quotes for agents what a card in another language says, and says to the person in theirs what has happened', async () => {
    const { shown } = await asked('de', plans)
    const message =
      'Step 2 (bread_bake) cannot be previewed: it is blocked (no_flour), as its card says in the language "de": “Es ist kein Mehl da. Kaufen Sie welches.”'
    expect(shown.guidance?.message).toBe(`${message}.`)
    expect(shown.card).toMatchObject({
      language: 'de',
      title: 'apply_bundle: nicht ausgeführt',
      subtitle: 'Nichts wurde geändert',
      blocks: [
        { title: 'Diese Änderungen lassen sich nicht als eine Entscheidung zeigen.' },
        { fields: [{ label: 'Antwort', value: { text: expect.stringMatching(/^„Step 2 .*“$/) } }] },
      ],
    })
  })
})

test('a step that failed by a code of its tool is told in the words of the tool, also where we have one of that name', async () => {
  const { confirm } = await asked('de', [loaf('rye'), loaf('stale'), loaf('cancelled')])
  const { card } = await confirm()
  expect(card?.blocks[0]).toMatchObject({
    steps: [
      { state: 'applied' },
      { state: 'failed', note: 'Die Antwort: „The bread of stale is no good.“' },
      { state: 'failed', note: 'Die Antwort: „The bread of cancelled is no good.“' },
    ],
  })
})

test('a bundle of which nothing was made says so to the person', async () => {
  const { confirm } = await asked('de', [loaf('stale'), loaf('cancelled')])
  const { card, guidance } = await confirm()
  expect(card?.blocks[0]).toMatchObject({ title: 'Keine dieser Änderungen wurde ausgeführt.' })
  expect(card?.title).toBe('2 Änderungen: „Bread“: nicht ausgeführt')
  expect(guidance?.message).toBe(
    'None of the 2 changes was made: step 1 (bread_bake) failed. The bread of stale is no good.',
  )
})

describe('what has become of a step', () => {
  const noteOf = (state: BundleStep['state'], error: NonNullable<BundleStep['error']>, language = 'de') => {
    const [block] = resultBlocks([{ tool: 'bread_bake', title: 'Brot backen', state, error }], language)
    return block?.kind === 'steps' ? block.steps[0]?.note : undefined
  }

  test.each<[string, BundleStep['state'], NonNullable<BundleStep['error']>, string]>([
    ['is running, by its plan', 'not_known', { code: 'applying', message: ended.applying }, 'Der Schritt läuft noch.'],
    [
      'is running, by its answer',
      'not_known',
      {
        code: 'running',
        message: 'Wait a few seconds and repeat this same call: it then answers with the recorded outcome.',
      },
      'Der Schritt läuft noch.',
    ],
    ['is not known', 'not_known', { code: 'unknown', message: ended.unknown }, 'Niemand sah, wie der Schritt endete.'],
    [
      'is not known, of a tool that failed half way',
      'not_known',
      { code: 'running', message: 'It ran away.' },
      'Niemand sah, wie der Schritt endete.',
    ],
    [
      'has moved',
      'failed',
      staleStep(1),
      'Worauf der Schritt beruht, hat sich seit Ihrem Blick geändert. Er braucht eine neue Vorschau.',
    ],
    ['was cancelled, by its plan', 'failed', { code: 'cancelled', message: ended.cancelled }, 'Abgebrochen.'],
    [
      'was cancelled, by its answer',
      'failed',
      { code: 'confirmation_refused', message: 'The person has cancelled this preview.' },
      'Abgebrochen.',
    ],
  ])('%s', (_, state, error, note) => {
    expect(noteOf(state, error)).toBe(note)
  })

  test.each<[string, BundleStep['state'], NonNullable<BundleStep['error']>, string]>([
    ['is running', 'not_known', { code: 'running', message: runningNext }, 'It is still running.'],
    ['has moved', 'failed', staleStep(1), 'What it rests on has changed since you looked. Preview it again.'],
    [
      'was cancelled',
      'failed',
      { code: 'confirmation_refused', message: 'The person has cancelled this preview.' },
      'It was cancelled.',
    ],
    ['failed by its tool', 'failed', { code: 'stale', message: 'The bread is stale.' }, 'The bread is stale.'],
    ['is not known', 'not_known', { code: 'unknown', message: ended.unknown }, ended.unknown],
  ])('%s, in English: no advice for agents', (_, state, error, note) => {
    expect(noteOf(state, error, 'en')).toBe(note)
  })
})

describe('words that stand for the result of a step', () => {
  test.each([
    ['as they are', '‹id de l’étape 1›'],
    ['with a straight apostrophe', "‹id de l'étape 1›"],
    ['with another apostrophe', '‹id de lʼétape 1›'],
    ['with a no-break space', '‹id de l’étape\u00A01›'],
    ['with a narrow one, and two', '‹id de\u202F\u2009l’étape 1›'],
    ['with a line break', '‹id of\nstep 1›'],
    ['with an invisible character', '‹id of st\u200Bep 1›'],
    ['with letters that are put together', '‹id de l’e\u0301tape 1›'],
    ['with wide letters and digits', '‹id of ｓｔｅｐ １›'],
    ['with the digits of Arabic', '‹id من الخطوة ١›'],
    ['in capitals', '‹ID OF STEP 1›'],
    ['between other brackets', '❮result of step 1❯'],
    ['between the signs of a comparison', '<result of step 1>'],
    ['between wide ones', '＜result of step 1＞'],
    ['between double ones', '«result of step 1»'],
    ['between mixed ones', '〈result of step 1˃'],
    ['between true ones with another one inside', '‹order > id of step 1›'],
    ['between heavy and mathematical ones', '❰result of step 1⟩'],
    ['between brackets with a stroke', '≮result of step 1›'],
    ['with an accent', '‹result of stép 1›'],
    ['with a mark below', '‹result of step\u0323 1›'],
    ['with an invisible character before a mark', '‹id de l’e\u200B\u0301tape 1›'],
    ['without its accents', '‹resultat de l’etape 1›'],
    ['with stretched letters', '‹id من الخطـــوة 1›'],
    ['with vowel signs', '‹id من الخُطوة 1›'],
    ['in the name of a value', { '‹id of step 1›': 1 }],
    ['deep in a list', [{ a: ['x ‹Ergebnis von Schritt 2› y'] }]],
  ])('are known %s', (_, given) => {
    expect(saysStandIn(given)).toBe(true)
  })

  test.each([
    ['‹id›'],
    ['the id of step 1'],
    ['‹chapter 1›'],
    ['‹of step›'],
    ['‹a› of step 1 ‹b›'],
    [7],
    [null],
    [undefined],
  ])('%j are none', (given) => {
    expect(saysStandIn(given)).toBe(false)
  })
})
