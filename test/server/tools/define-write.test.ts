// A write that is declared by its plan, on the real rail: what the person signs is what `plan` said, and nothing else runs.
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { parseMessage } from '../../../server/confirm/message.ts'
import type { Answer } from '../../../server/rail/answers/outcome.ts'
import { ContractError } from '../../../server/tools/define-tool.ts'
import { defineRead, defineWrite, patched } from '../../../server/tools/define-write.ts'
import { caller } from '../../kit/calls.ts'
import { confirmed, createStage, previewAgainMessage, type Stage } from '../rail/rail-fixture.ts'

const issue = z.strictObject({ id: z.string(), title: z.string(), state: z.enum(['open', 'closed']) })
type Issue = z.infer<typeof issue>
const id = z.string()

/** A tracker with one issue. */
function tracker() {
  const issues = new Map<string, Issue>([['ISS-1', { id: 'ISS-1', title: 'Launch', state: 'open' }]])
  const change = defineWrite({
    name: 'issues.change',
    description: 'Changes an issue. What is left out stays.',
    risk: 'high',
    input: issue.partial().required({ id: true }),
    record: issue,
    failures: { not_found: 'Take an id from issues_list.', locked: { effect: 'none', guidance: 'Ask its owner.' } },
    plan: ({ id, ...wanted }, ctx) => {
      const before = issues.get(id)
      if (before === undefined) return ctx.fail('not_found', `There is no issue ${id}.`)
      if (wanted.title === 'locked')
        return { before, after: before, blocked: { code: 'locked', title: 'It is locked', text: 'Ada has it.' } }
      return { before, after: patched(before, wanted) }
    },
    apply: ({ after }) => void issues.set(after.id, after),
  })
  const create = defineWrite({
    name: 'issues.create',
    description: 'Opens an issue.',
    operation: 'write',
    risk: 'medium',
    input: z.strictObject({ title: z.string() }),
    plan: ({ title }) => ({ after: { title, state: 'open' as const } }),
    apply: ({ after }) => {
      const made = { ...after, id: `ISS-${issues.size + 1}` }
      issues.set(made.id, made)
      return made
    },
    undo: ({ result }) => ({ tool: 'issues_delete', arguments: { id: result.after?.id }, label: 'Delete it again' }),
  })
  const remove = defineWrite({
    name: 'issues.delete',
    description: 'Deletes an issue.',
    risk: 'high',
    input: z.strictObject({ id }),
    output: z.strictObject({ left: z.int() }),
    failures: { not_found: 'Take an id from issues_list.' },
    plan: ({ id }, ctx) => {
      const before = issues.get(id)
      return before === undefined ? ctx.fail('not_found', `There is no issue ${id}.`) : { before }
    },
    apply: ({ before }) => {
      issues.delete(before.id)
      return { left: issues.size }
    },
  })
  return { issues, tools: [change, create, remove], change, create, remove }
}

/** What its card's Undo asks for. */
function undone(stage: Stage, applied: Answer): Promise<Answer> {
  const parsed = parseMessage(previewAgainMessage(applied) ?? '')
  if (!parsed.ok || parsed.value.kind !== 'preview') throw new Error('The card offers no undo.')
  return stage.send(parsed.value.tool, parsed.value.args)
}

describe('a write that is declared by its plan', () => {
  test('shows what would change, makes it once it is signed, and offers to set it back', async () => {
    const { issues, tools } = tracker()
    const stage = await createStage(tools)
    const preview = await stage.ask('issues_change', { id: 'ISS-1', state: 'closed' })
    expect(preview).toMatchObject({
      outcome: 'previewed',
      preview: {
        title: 'Change issue ISS-1',
        subtitle: 'Launch',
        summary: 'Changes State of the issue ISS-1.',
        confirmLabel: 'Change issue',
        changes: [{ pointer: '/state', before: { text: 'open' }, after: { text: 'closed' } }],
        unchanged: [{ label: 'Id' }, { label: 'Title' }],
      },
    })
    expect(issues.get('ISS-1')?.state).toBe('open')
    const applied = await stage.repeat(confirmed(preview))
    expect(applied).toMatchObject({
      outcome: 'applied',
      result: { before: { state: 'open' }, after: { id: 'ISS-1', title: 'Launch', state: 'closed' } },
      card: { title: 'Change issue ISS-1: done' },
    })
    const undo = await undone(stage, applied)
    expect(undo).toMatchObject({ preview: { changes: [{ before: { text: 'closed' }, after: { text: 'open' } }] } })
    await stage.repeat(confirmed(undo))
    expect(issues.get('ISS-1')?.state).toBe('open')
  })

  test('does not run where the record has moved since it was signed', async () => {
    const { issues, tools } = tracker()
    const stage = await createStage(tools)
    const preview = await stage.ask('issues_change', { id: 'ISS-1', state: 'closed' })
    issues.set('ISS-1', { id: 'ISS-1', title: 'Launch, later', state: 'open' })
    expect(await stage.repeat(confirmed(preview))).toMatchObject({ outcome: 'stale' })
    expect(issues.get('ISS-1')).toMatchObject({ title: 'Launch, later', state: 'open' })
  })

  test('shows a new record as one that comes and a deleted one as one that goes', async () => {
    const { issues, tools } = tracker()
    const stage = await createStage(tools)
    const created = await stage.ask('issues_create', { title: 'Party' })
    expect(created).toMatchObject({
      preview: {
        summary: 'Creates the issue Party.',
        blocks: [
          {
            kind: 'diff',
            records: [{ change: 'added', label: 'Party', fields: [{ label: 'Title' }, { label: 'State' }] }],
          },
        ],
      },
    })
    const applied = await stage.repeat(confirmed(created))
    expect(applied).toMatchObject({ outcome: 'applied', result: { after: { id: 'ISS-2', title: 'Party' } } })
    const undo = await undone(stage, applied)
    expect(undo).toMatchObject({
      preview: {
        summary: 'Deletes the issue ISS-2.',
        blocks: [{ records: [{ change: 'removed', label: 'Party', id: 'ISS-2' }] }],
      },
    })
    expect(await stage.repeat(confirmed(undo))).toMatchObject({ outcome: 'applied', result: { left: 1 } })
    expect([...issues.keys()]).toStrictEqual(['ISS-1'])
  })

  test('has no button where nothing would change, nor where the plan says why not', async () => {
    const stage = await createStage(tracker().tools)
    const same = await stage.ask('issues_change', { id: 'ISS-1', title: 'Launch' })
    expect(same).toMatchObject({ preview: { blocked: { code: 'unchanged', title: 'Nothing would change' } } })
    const locked = await stage.ask('issues_change', { id: 'ISS-1', title: 'locked' })
    expect(locked).toMatchObject({ preview: { blocked: { code: 'locked' }, effects: [] } })
    expect(() => confirmed(locked)).toThrow('no Confirm')
    expect(await stage.ask('issues_change', { id: 'ISS-9' })).toMatchObject({
      outcome: 'failed',
      guidance: { error_type: expect.any(String), message: 'There is no issue ISS-9.' },
    })
  })

  test('rests on its effects and on whatever else it names, in whatever language they are read', async () => {
    let stock = 9
    const sell = defineWrite({
      name: 'goods.sell',
      description: 'Sells one.',
      risk: 'high',
      languages: ['en', 'de'],
      input: z.strictObject({}),
      plan: (_, { language }) => {
        return { effects: [language === 'de' ? 'Der Bestand fällt' : 'The stock falls'], basis: { stock } }
      },
      apply: () => void (stock -= 1),
    })
    const stage = await createStage([sell])
    const german = caller({ languages: ['de'] })
    const preview = await stage.ask('goods_sell', {}, german)
    expect(preview).toMatchObject({ preview: { effects: ['Der Bestand fällt'] } })
    expect(await stage.repeat(confirmed(preview))).toMatchObject({ outcome: 'applied', result: {} })
    const stale = await stage.ask('goods_sell')
    stock = 3
    expect(await stage.repeat(confirmed(stale))).toMatchObject({ outcome: 'stale' })
  })

  test('whose plan makes something new each time is refused at its first preview, with where', async () => {
    let next = 1
    const add = defineWrite({
      name: 'notes.add',
      description: 'Adds a note.',
      risk: 'medium',
      input: z.strictObject({ text: z.string() }),
      plan: ({ text }) => ({ after: { text, id: (next += 1) } }),
      apply: () => undefined,
    })
    const stage = await createStage([add])
    expect(await stage.ask('notes_add', { text: 'a' })).toMatchObject({ outcome: 'failed' })
    expect(stage.engine.reports.join()).toContain('two different values at /after/id')
  })

  test('takes an apply that finds the record moved in its own transaction for staleness', async () => {
    const write = defineWrite({
      name: 'notes.touch',
      description: 'Touches a note.',
      risk: 'medium',
      input: z.strictObject({}),
      plan: () => ({ before: { n: 1 }, after: { n: 2 } }),
      apply: (_, ctx) => ctx.stale(),
    })
    const stage = await createStage([write])
    expect(await stage.repeat(confirmed(await stage.ask('notes_touch')))).toMatchObject({ outcome: 'stale' })
  })
})

describe('what follows from the name and the description', () => {
  test('stands in the contract, unless the tool says it', () => {
    const { change } = tracker()
    expect(change).toMatchObject({
      title: 'Change issue',
      noun: 'the issue',
      operation: 'destructive',
      idempotency: 'plan',
      sideEffects: [{ what: 'Changes an issue.', onRepeat: expect.stringContaining('once') }],
      failures: {
        unchanged: { effect: 'none' },
        not_found: { effect: 'none', guidance: 'Take an id from issues_list.' },
        locked: { effect: 'none' },
      },
    })
    const run = () => ({ entries: [] })
    const read = {
      description: 'Lists them.',
      input: z.strictObject({}),
      output: z.object({ entries: z.array(z.string()) }),
    }
    expect(defineRead({ ...read, name: 'entries.list', run })).toMatchObject({ title: 'List entries', risk: 'low' })
    expect(defineRead({ ...read, name: 'entries.get', title: 'Look', risk: 'medium', run })).toMatchObject({
      title: 'Look',
      risk: 'medium',
    })
    expect(defineRead({ ...read, name: 'shop.find_boxes', run }).title).toBe('Find boxes')
  })

  test('types the record as the plan has it, and as it was written', () => {
    const { change, create, remove } = tracker()
    type Result = Exclude<Awaited<ReturnType<typeof create.run>>, { kind: string }>
    expectTypeOf<NonNullable<Result['after']>>().toEqualTypeOf<{ id: string; title: string; state: 'open' }>()
    expectTypeOf<(typeof change)['preview']>()
      .parameter(0)
      .toEqualTypeOf<{ id: string; title?: string | undefined; state?: 'open' | 'closed' | undefined }>()
    expectTypeOf(remove.failures).toHaveProperty('not_found')
  })
})

const sound = {
  name: 'notes.add',
  description: 'Adds a note.',
  risk: 'medium',
  input: z.strictObject({}),
  plan: () => ({}),
  apply: () => undefined,
} as const

test.each([
  ['no name', { name: undefined }, 'name', 'is missing'],
  ['no description', { description: undefined }, 'description', 'is missing'],
  ['no plan', { plan: undefined }, 'plan', 'is not a function'],
  ['an apply that is a text', { apply: 'x' }, 'apply', 'is not a function'],
  ['a preview', { preview: () => ({}) }, 'preview', 'follows from plan and apply'],
  ['a record beside an output', { record: issue, output: issue }, 'record', 'stands beside output'],
  ['a risk that is none', { risk: 'wild' }, 'risk', 'is "wild"'],
  ['a field that is misspelt', { feilds: {} }, 'feilds', 'is not a field of a contract'],
  ['a name without a verb', { name: 'Notes' }, 'name', 'is not "domain.verb" in lower case'],
])('a declaration with %s is refused by its field', (_, wrong, field, problem) => {
  const given = { ...sound, ...wrong } as never
  const error = (() => {
    try {
      defineWrite(given)
      return undefined
    } catch (thrown) {
      return thrown
    }
  })()
  expect(error).toBeInstanceOf(ContractError)
  expect(error).toMatchObject({ field })
  expect(String(error)).toContain(problem)
})
