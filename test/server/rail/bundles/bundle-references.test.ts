// A step that takes a value of an earlier one's result: it is shown with a stand-in, and runs only where nothing but the value differs.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { cardLanguages } from '../../../../server/cards/card-words.ts'
import type { Answer } from '../../../../server/rail/answers/outcome.ts'
import type { Caller } from '../../../../server/rail/engine.ts'
import { parseMessage } from '../../../../server/confirm/message.ts'
import {
  differsOnlyBy,
  inWords,
  referencesIn,
  referenceTo,
  standIn,
  valueOf,
  withValues,
  wordsFor,
} from '../../../../server/rail/bundles/references.ts'
import { bundlesFor } from '../../../../server/rail/bundles/bundle-contract.ts'
import { laterPlanId } from '../../../../server/rail/bundles/bundle-members.ts'
import type { Contract, Preview, ToolFailed, WriteContract } from '../../../../server/tools/contract.ts'
import { caller } from '../../../kit/calls.ts'
import { writeTool } from '../../../kit/tools.ts'
import { confirmed, createStage, why } from '../rail-fixture.ts'

const folders: string[] = []
const notes: { folder: string; size: number; plan: string }[] = []
/** What the preview of a note says beside its arguments. */
let remark = ''
/** What it says once a folder was made. */
let remarkAfter = ''
let trouble: string | undefined

const makeFolder = writeTool({
  name: 'folders.make',
  input: z.strictObject({ title: z.string() }),
  output: z.strictObject({ id: z.string(), size: z.int() }),
  failures: { full: { effect: 'none', guidance: 'Empty it.' } },
  preview: ({ title }) => ({ title: `Make the folder ${title}`, summary: 'A folder.', confirmLabel: 'Make' }),
  run: ({ title }, ctx) => {
    if (trouble === title) return ctx.fail('full', 'There is no room.')
    folders.push(title)
    remark = remarkAfter
    return { id: `F-${title}`, size: 7 }
  },
  undo: ({ title }) => ({ tool: 'folders_make', arguments: { title: `no ${title}` }, label: 'Undo' }),
})

const writeNote = writeTool({
  name: 'notes.write',
  input: z.strictObject({ folder: z.string(), size: z.int(), text: z.string() }),
  output: z.strictObject({ folder: z.string() }),
  preview: ({ folder, size, text }) => ({
    title: `Write a note into ${folder}`,
    summary: `Writes ${text} into ${folder}.`,
    changes: [
      { pointer: '/size', label: 'Size', before: { kind: 'unset' }, after: { kind: 'number', value: String(size) } },
    ],
    effects: [`The folder ${folder} has ${size} notes.${remark}`],
    confirmLabel: 'Write',
  }),
  run: ({ folder, size }, ctx) => {
    notes.push({ folder, size, plan: ctx.idempotencyKey })
    return { folder }
  },
})

const lookUp = writeTool({
  name: 'folders.close',
  input: z.strictObject({ id: z.string() }),
  output: z.strictObject({}),
  failures: { absent: { effect: 'none', guidance: 'Look which there are.' } },
  preview: ({ id }, ctx) =>
    folders.includes(id.slice(2))
      ? { title: `Close ${id}`, summary: 'Closes it.', confirmLabel: 'Close' }
      : ctx.fail('absent', `There is no folder ${id}.`),
  run: () => ({}),
})

const tools = [makeFolder, writeNote, lookUp]

/** The tools of the desk; of several languages each says in its title in which it was asked. */
const speaking = (languages: readonly string[]): readonly Contract[] =>
  tools.map((tool) => {
    if (tool.operation === 'read' || languages.length === 1) return { ...tool, languages }
    const preview: WriteContract['preview'] = async (input, ctx) => {
      const shown: Preview | ToolFailed = await tool.preview(input, ctx)
      return 'title' in shown ? { ...shown, title: `${ctx.language}: ${shown.title}` } : shown
    }
    return { ...tool, languages, preview }
  })

const openDesk = (languages: readonly string[] = ['en'], settings: Parameters<typeof createStage>[1] = {}) => {
  folders.length = 0
  notes.length = 0
  remark = ''
  remarkAfter = ''
  trouble = undefined
  return createStage([...speaking(languages), ...bundlesFor(tools, false)], settings)
}

const make = (title: string) => ({ tool: 'folders_make', arguments: { title } })
const note = (step: number, text = 'hello') => ({
  tool: 'notes_write',
  arguments: { folder: { $ref: `/${step}/result/id` }, size: { $ref: `/${step}/result/size` }, text },
})

const stepsOf = ({ result }: Answer) =>
  (
    result as {
      readonly steps: readonly { readonly state: string; readonly plan_id?: string; readonly error?: object }[]
    }
  ).steps

const plan = (
  stage: Awaited<ReturnType<typeof openDesk>>,
  plans: readonly unknown[],
  more: object = {},
  as: Caller = caller(),
) => stage.send('apply_bundle', { plans, title: 'A folder and what is in it', rationale: why, ...more }, as)

describe('a step that takes a value of an earlier one', () => {
  test('is shown with words in its place, and runs with the value by a plan of its own', async () => {
    const stage = await openDesk()
    const shown = await plan(stage, [make('a'), note(0)])
    expect(shown.card?.blocks).toMatchObject([
      { kind: 'details', summary: '1. Make the folder a (medium)' },
      {
        kind: 'details',
        summary: '2. Write a note into ‹id of step 1› (medium)',
        blocks: [{ kind: 'diff', changes: [{ after: { kind: 'text', text: '‹size of step 1›' } }] }],
      },
      { kind: 'effects', effects: ['The folder ‹id of step 1› has ‹size of step 1› notes.'] },
    ])
    const applied = await stage.repeat(confirmed(shown))
    expect(stepsOf(applied).map(({ state }) => state)).toEqual(['applied', 'applied'])
    const id = laterPlanId(shown.planId ?? '', 1)
    expect(notes).toEqual([{ folder: 'F-a', size: 7, plan: id }])
    expect(stepsOf(applied)[1]?.plan_id).toBe(id)
    expect(stepsOf(await stage.repeat(confirmed(shown)))[1]).toMatchObject({ state: 'applied', plan_id: id })
    expect(notes).toHaveLength(1)
  })

  test.each([
    ['whoever repeats the call', 'inline'],
    ['where its plan alone is named', 'reference'],
  ] as const)('is shown with words of the language that all tools speak, and runs in it %s', async (_, apply) => {
    const stage = await openDesk(['en', 'de'], { settings: { apply } })
    const shown = await plan(stage, [make('a'), note(0)], {}, { ...caller(), languages: ['de'] })
    expect(shown.card).toMatchObject({
      language: 'de',
      title: '2 Änderungen: „A folder and what is in it“',
      blocks: [
        { summary: '1. de: Make the folder a (mittleres Risiko)' },
        {
          summary: '2. de: Write a note into ‹id aus Schritt 1› (mittleres Risiko)',
          blocks: [{ kind: 'diff', changes: [{ after: { kind: 'text', text: '‹size aus Schritt 1›' } }] }],
        },
        { kind: 'effects', effects: ['The folder ‹id aus Schritt 1› has ‹size aus Schritt 1› notes.'] },
      ],
    })
    const applied = await stage.repeat(confirmed(shown), { ...caller(), languages: ['en'] })
    expect(applied.card).toMatchObject({ language: 'de', title: '2 Änderungen ausgeführt' })
    expect(notes).toMatchObject([{ folder: 'F-a', size: 7 }])
  })

  test.each(cardLanguages)('is refused where a call says itself what stands for a result in %s', async (language) => {
    const stage = await openDesk()
    const words = [
      wordsFor({ path: [], step: 0, from: '/id' }, language),
      wordsFor({ path: [], step: 0, from: '' }, language),
    ]
    for (const text of words) {
      const { card, guidance } = await plan(stage, [make('a'), note(0, text)])
      expect(card?.plan).toBeUndefined()
      expect(guidance?.message).toMatch(/Step 2 \(notes_write\) has words that stand for the result of a step/)
    }
  })

  test('does not run where its preview says more by then than the value, and the bundle stops', async () => {
    const stage = await openDesk()
    const shown = await plan(stage, [make('a'), note(0), make('c')])
    const [message] = [confirmed(shown)]
    remarkAfter = ' And everybody is told.'
    const partial = await stage.repeat(message)
    expect(stepsOf(partial).map(({ state }) => state)).toEqual(['applied', 'failed', 'not_run'])
    expect(stepsOf(partial)[1]).toMatchObject({ error: { code: 'not_as_shown' } })
    expect(notes).toEqual([])
    const offer = partial.card?.actions.flatMap(({ steps }) =>
      steps.flatMap((step) => (step.do === 'SendMessage' ? [step.text] : [])),
    )
    const rest = parseMessage(offer?.[0] ?? '')
    if (!rest.ok || rest.value.kind !== 'preview') throw new Error(JSON.stringify(offer))
    // What has run has its value now, and what is left keeps its place.
    expect(rest.value.args['plans']).toEqual([
      { tool: 'notes_write', arguments: { folder: 'F-a', size: 7, text: 'hello' } },
      expect.stringMatching(/^pl_/),
    ])
    const again = await stage.send(rest.value.tool, rest.value.args)
    expect(stepsOf(await stage.repeat(confirmed(again))).map(({ state }) => state)).toEqual(['applied', 'applied'])
    expect(notes).toMatchObject([{ folder: 'F-a', size: 7 }])
  })

  test('is found by its plan where nobody could write down how its bundle ended', async () => {
    await openDesk()
    let bundled = ''
    const away = (id: string): void => {
      if (id === bundled) throw new Error('The store is not there.')
    }
    const stage = await createStage([...tools, ...bundlesFor(tools, false)], {
      wrap: (plans) => ({
        ...plans,
        finish: async (id, ...rest) => {
          away(id)
          return plans.finish(id, ...rest)
        },
      }),
    })
    const shown = await plan(stage, [make('a'), note(0)])
    bundled = shown.planId ?? ''
    const lost = await stage.repeat(confirmed(shown))
    expect(lost.outcome).toBe('outcome_unknown')
    stage.clock.pass(60_000)
    const found = await stage.repeat(confirmed(shown))
    expect(found.outcome).toBe('replayed')
    expect(stepsOf(found)).toMatchObject([
      { state: 'applied', result: { id: 'F-a' } },
      { state: 'applied', plan_id: laterPlanId(bundled, 1), result: { folder: 'F-a' } },
    ])
    expect(notes).toHaveLength(1)
  })

  test('is stale with its bundle where what it shows has changed before anything runs', async () => {
    const stage = await openDesk()
    const shown = await plan(stage, [make('a'), note(0)])
    remark = ' And everybody is told.'
    expect((await stage.repeat(confirmed(shown))).outcome).toBe('stale')
    expect(folders).toEqual([])
  })

  test('fails where the step before it answered no such value', async () => {
    const stage = await openDesk()
    const other = { tool: 'notes_write', arguments: { folder: { $ref: '/0/result/name' }, size: 1, text: 'x' } }
    const partial = await stage.repeat(confirmed(await plan(stage, [make('a'), other])))
    expect(stepsOf(partial)[1]).toMatchObject({
      state: 'failed',
      error: { message: 'It takes /name of what step 1 answered, and that is no number and no text of one line.' },
    })
    trouble = 'b'
    const shown = await plan(stage, [make('x'), make('b'), note(1)], { on_failure: 'continue' })
    const states = stepsOf(await stage.repeat(confirmed(shown))).map(({ state }) => state)
    expect(states).toEqual(['applied', 'failed', 'failed'])
    expect(notes).toEqual([])
  })

  test('keeps its place among the steps that are left', async () => {
    const stage = await openDesk()
    trouble = 'b'
    const partial = await stage.repeat(confirmed(await plan(stage, [make('x'), make('b'), note(1)])))
    const offer = partial.card?.actions.flatMap(({ steps }) =>
      steps.flatMap((step) => (step.do === 'SendMessage' ? [step.text] : [])),
    )
    const rest = parseMessage(offer?.[0] ?? '')
    if (!rest.ok || rest.value.kind !== 'preview') throw new Error(JSON.stringify(offer))
    expect(rest.value.args['plans']).toEqual([expect.stringMatching(/^pl_/), note(0)])
    trouble = undefined
    const again = await stage.send(rest.value.tool, rest.value.args)
    expect(stepsOf(await stage.repeat(confirmed(again))).map(({ state }) => state)).toEqual(['applied', 'applied'])
    expect(notes).toMatchObject([{ folder: 'F-b', size: 7 }])
  })

  test.each([
    [
      'a step after it',
      [note(1), make('a')],
      /Step 1 \(notes_write\) takes a result of step 2, which does not run before it/,
    ],
    [
      'words that stand for a result',
      [make('a'), { tool: 'notes_write', arguments: { folder: '‹id of step 1›', size: 1, text: 'x' } }],
      /Step 2 \(notes_write\) has words that stand for the result of a step/,
    ],
    [
      'what its tool looks up',
      [make('a'), { tool: 'folders_close', arguments: { id: { $ref: '/0/result/id' } } }],
      /Step 2 \(folders_close\) cannot be previewed: There is no folder ‹id of step 1›\. It takes a value that is not there yet/,
    ],
  ])('is refused where it takes %s', async (_, plans, message) => {
    const stage = await openDesk()
    const answer = await plan(stage, plans)
    expect(answer.guidance?.message).toMatch(message)
    expect(answer.card?.plan).toBeUndefined()
  })
})

describe('references', () => {
  const key = fc.string({ minLength: 1, maxLength: 8 }).filter((name) => name !== '__proto__' && name !== '$ref')
  const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))
  const data = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).value

  test('are found wherever they stand, and their places take any value', () => {
    fc.assert(
      fc.property(
        fc.dictionary(key, data, { noNullPrototype: true }),
        fc.nat(19),
        fc.array(fc.stringMatching(/^[\w.-]{1,12}$/), { maxLength: 5 }),
        data,
        (args, step, path, value) => {
          const from = path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
          const given = { ...args, here: [args, referenceTo(step, from)] }
          const found = referencesIn(given)
          expect(found).toEqual([{ path: ['here', '1'], step, from }])
          expect(
            withValues(
              given,
              found.map((each) => [each, value]),
            ),
          ).toEqual({ ...args, here: [args, value] })
          const result = path.reduceRight<unknown>((inside, name) => ({ [name]: inside }), 'it')
          expect(found.map((each) => valueOf(each, result))).toEqual(['it'])
        },
      ),
    )
  })

  test('of another form are data', () => {
    for (const text of ['#/definitions/x', '/0', '/x/result', '0/result/id', '/100/result', '/0/results'])
      expect(referencesIn({ schema: { $ref: text } })).toEqual([])
    expect(referencesIn({ schema: { $ref: '/0/result', type: 'string' } })).toEqual([])
  })

  test('what is made with a stand-in differs from what is made with the value by nothing else', () => {
    fc.assert(
      fc.property(
        data,
        fc.string({ minLength: 1 }),
        fc.string(),
        fc.constantFrom('text', 'number'),
        (other, before, real, as) => {
          const standing = standIn({ path: ['id'], step: 0, from: '/id' }, 0, as)
          const value = as === 'text' ? real : real.length
          const made = (of: string | number) => ({ id: of, said: [`${before} ${of}.`], other })
          expect(differsOnlyBy(made(standing.value), made(value), [[standing, value]])).toBe(true)
          expect(differsOnlyBy(made(standing.value), { ...made(value), more: 1 }, [[standing, value]])).toBe(false)
          expect(JSON.stringify(inWords(made(standing.value), [standing], 'en'))).not.toContain('8070605')
        },
      ),
    )
  })
})
