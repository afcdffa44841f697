// Several writes as one decision: what the card shows, what one Confirm runs, and what is said where it does not run through.
import { describe, expect, test } from 'vitest'
import { call } from '../../../../server/rail/call.ts'
import { z } from 'zod'
import { asBundlePreview, bundlesFor } from '../../../../server/rail/bundles/bundle-contract.ts'
import type { Answer } from '../../../../server/rail/answers/outcome.ts'
import type { Caller } from '../../../../server/rail/engine.ts'
import { parseMessage } from '../../../../server/confirm/message.ts'
import { caller, requestOf } from '../../../kit/calls.ts'
import { writeTool } from '../../../kit/tools.ts'
import { confirmed, createStage, why, type Stage } from '../rail-fixture.ts'
import { newShelf, shelfTools, type Shelf } from './shelf.ts'

const openShelf = async (
  more: Parameters<typeof createStage>[1] = {},
): Promise<{ readonly stage: Stage; readonly shelf: Shelf }> => {
  const shelf = newShelf()
  return { shelf, stage: await createStage(shelfTools(shelf), more) }
}

/** Calls `plan_bundle`. */
const bundle = (stage: Stage, plans: readonly unknown[], more: object = {}, as: Caller = caller()): Promise<Answer> =>
  call(
    stage.engine,
    asBundlePreview(requestOf('plan_bundle', { plans, title: 'Fill the shelf', rationale: why, ...more }, as)),
  )

const put = (name: string, count = 1) => ({ tool: 'shelf_put', arguments: { name, count } })
const set = (name: string, count: number) => ({ tool: 'shelf_set', arguments: { name, count } })
const drop = (name: string) => ({ tool: 'shelf_drop', arguments: { name } })

const planned = async (stage: Stage, { tool, arguments: args }: ReturnType<typeof put>): Promise<string> =>
  (await stage.ask(tool, args)).planId ?? 'none'

interface Steps {
  readonly applied: number
  readonly steps: readonly {
    readonly state: string
    readonly title: string
    readonly error?: { readonly code: string }
  }[]
}

const stepsOf = ({ result }: Answer): readonly string[] => (result as Steps).steps.map(({ state }) => state)

const offers = ({ card }: Answer): readonly string[] =>
  (card?.actions ?? []).flatMap(({ steps }) => steps.flatMap((step) => (step.do === 'SendMessage' ? [step.text] : [])))

/** The agent makes the call that a Preview message asks for. */
const obey = (stage: Stage, message = ''): Promise<Answer> => {
  const parsed = parseMessage(message)
  if (!parsed.ok || parsed.value.kind !== 'preview') throw new Error(`not a Preview message: ${message}`)
  return stage.send(parsed.value.tool, parsed.value.args)
}

/** Presses Confirm, so that the click is on record, and repeats the call. */
const apply = async (stage: Stage, preview: Answer, as: Caller = caller({ trusted: true })): Promise<Answer> => {
  await stage.press('countersign_plan_confirm', preview, as)
  return stage.repeat(confirmed(preview), as)
}

describe('plan_bundle', () => {
  test('shows each step with its consequences in sight and the rest of it to be opened, and changes nothing', async () => {
    const { stage, shelf } = await openShelf()
    shelf.things.set('box', 3)
    const first = await planned(stage, put('cup', 2))
    const answer = await bundle(stage, [first, set('box', 4)])
    expect(answer.outcome).toBe('previewed')
    expect(answer.card).toMatchObject({
      title: '2 changes: “Fill the shelf”',
      risk: 'high',
      claim: why,
      blocks: [
        {
          kind: 'details',
          summary: '1. Put 2 cup (medium)',
          applied: true,
          blocks: [{ kind: 'diff', changes: [{ pointer: '/count' }] }],
        },
        { kind: 'effects', effects: ['There are 2 cup.'] },
        { kind: 'details', summary: '2. Set box to 4 (high)', applied: true },
        { kind: 'alert', severity: 'warning', title: 'box is counted by hand.' },
      ],
    })
    expect(confirmed(answer)).toMatch(
      /^Apply: call apply_bundle\(plans=\["pl_\w+","pl_\w+"\], title="Fill the shelf", rationale="[^"]+", ticket="cs1_[^"]+", preview=False\)$/,
    )
    expect(answer.text).toContain('There are 2 cup.')
    expect(answer.text).toContain('- Count: _not set_ → 2')
    expect(shelf.ran).toEqual([])
  })

  test('takes the highest risk of its steps, and what must be typed for one of them', async () => {
    const { stage, shelf } = await openShelf()
    for (const name of ['box', 'pen']) shelf.things.set(name, 1)
    const one = await bundle(stage, [put('cup'), drop('box')])
    expect(one.card).toMatchObject({ risk: 'critical', confirm_phrase: 'box' })
    const two = await bundle(stage, [drop('pen'), drop('box')])
    expect(two.card).toMatchObject({ risk: 'critical', confirm_phrase: 'pen, box' })
    const none = await bundle(stage, [put('cup'), put('can')])
    expect(none.card?.risk).toBe('medium')
    expect(none.card?.confirm_phrase).toBeUndefined()
  })

  test.each([
    ['an id that is none', ['pl_0', put('can')], /Step 1 \("pl_0"\) is not the plan_id of a preview of yours/],
    [
      'a tool that is not there',
      [put('can'), { tool: 'shelf_paint', arguments: {} }],
      /Step 2 \(shelf_paint\) .*no tool/i,
    ],
    ['arguments that are wrong', [put('can'), put('cup', 0)], /Step 2 \(shelf_put\) cannot be previewed/],
    [
      'what its tool refuses',
      [put('can'), set('nothing', 3)],
      /Step 2 \(shelf_set\) cannot be previewed: There is no nothing/,
    ],
    ['the same call twice', [put('can'), put('can')], /Step 2 is the same call as step 1/],
    [
      'a ticket',
      [put('can'), { tool: 'shelf_put', arguments: { name: 'a', count: 1, ticket: 'cs1_x' } }],
      /names a ticket/,
    ],
  ])('refuses %s by its step, and opens no card', async (_, plans, message) => {
    const { stage, shelf } = await openShelf()
    const answer = await bundle(stage, plans)
    expect(answer.outcome).toBe('failed')
    expect(answer.guidance?.message).toMatch(message)
    expect(answer.card?.plan).toBeUndefined()
    expect(shelf.ran).toEqual([])
  })

  test('refuses a bundle in a bundle, one step alone, and somebody else’s plans', async () => {
    const { stage } = await openShelf()
    const inner = await bundle(stage, [put('can'), put('cup')])
    const nested = await bundle(stage, [inner.planId, put('pot')])
    expect(nested.guidance?.message).toMatch(/Step 1 \(apply_bundle\) is itself a bundle/)
    const alone = await bundle(stage, [put('pan')])
    expect(alone.guidance).toMatchObject({ error_type: 'validation_error' })
    const bob = caller({ principal: { tenant: 'acme', subject: 'bob' } })
    const theirs = (await stage.ask('shelf_put', { name: 'ink', count: 1 }, bob)).planId
    expect((await bundle(stage, [theirs, put('pan')])).guidance?.message).toMatch(
      /Step 1 \("pl_\w+"\) is not the plan_id of a preview of yours/,
    )
  })

  test('previews afresh what has moved, has expired or has failed without an effect', async () => {
    const { stage, shelf } = await openShelf()
    shelf.things.set('box', 3)
    const moved = await planned(stage, set('box', 4))
    shelf.things.set('box', 5)
    const answer = await bundle(stage, [moved, put('cup')])
    const { plans = [] } = (answer.preview?.details ?? {}) as {
      readonly plans?: readonly { readonly plan_id: string }[]
    }
    expect(plans[0]?.plan_id).not.toBe(moved)
    expect((await apply(stage, answer)).outcome).toBe('applied')
    expect([...shelf.things]).toEqual([
      ['box', 4],
      ['cup', 1],
    ])
    const late = await planned(stage, put('pan'))
    stage.clock.pass(60 * 60_000)
    expect((await bundle(stage, [late, put('pot')])).outcome).toBe('previewed')
  })
})

describe('apply_bundle', () => {
  test('runs each step once, in their order, by its own plan, and says what came of each', async () => {
    const { stage, shelf } = await openShelf()
    const first = await planned(stage, put('cup', 2))
    const preview = await bundle(stage, [first, put('can', 3)])
    const message = confirmed(preview)
    const applied = await apply(stage, preview)
    expect(applied.outcome).toBe('applied')
    expect(applied.result).toMatchObject({
      applied: 2,
      steps: [
        { tool: 'shelf_put', state: 'applied', result: { name: 'cup', count: 2 } },
        { tool: 'shelf_put', state: 'applied', result: { name: 'can', count: 3 } },
      ],
    })
    expect(applied.card).toMatchObject({
      kind: 'success',
      state: 'applied',
      title: '2 changes made',
      blocks: [
        {
          kind: 'steps',
          steps: [
            { label: '2 cup put', state: 'applied' },
            { label: '3 can put', state: 'applied' },
          ],
        },
        { kind: 'details', summary: '1. 2 cup put', applied: false, blocks: [{ kind: 'text' }] },
        { kind: 'details', summary: '2. 3 can put' },
      ],
    })
    expect(shelf.ran.map(({ name }) => name)).toEqual(['cup', 'can'])
    const again = await stage.repeat(message)
    expect(again.outcome).toBe('replayed')
    expect(again.card).toMatchObject({ title: '2 changes made' })
    // What was shown alone before has no card of its own any more.
    const alone = { name: 'cup', count: 2, ticket: first, preview: false }
    expect((await stage.ask('shelf_put', alone)).outcome).toBe('refused')
    expect(shelf.ran).toHaveLength(2)
  })

  test('needs the proof of its riskiest step', async () => {
    const { stage, shelf } = await openShelf()
    shelf.things.set('box', 1)
    const medium = await bundle(stage, [put('a'), put('b')])
    const by = (preview: Answer, ticket: string | undefined): Promise<Answer> => {
      const parsed = parseMessage(confirmed(preview))
      if (!parsed.ok || parsed.value.kind !== 'apply') throw new Error('no Apply message')
      return stage.send(parsed.value.tool, { ...parsed.value.args, ticket })
    }
    // Nobody repeats the arguments of its steps, so its id proves nothing.
    expect((await by(medium, medium.planId)).outcome).toBe('refused')
    expect((await by(medium, medium.card?.plan?.ticket)).outcome).toBe('applied')
    const high = await bundle(stage, [put('c'), set('box', 9)])
    expect((await by(high, high.planId)).outcome).toBe('refused')
    const critical = await bundle(stage, [put('d'), drop('box')])
    expect((await stage.repeat(confirmed(critical))).outcome).toBe('refused')
    expect(shelf.ran.map(({ name }) => name)).toEqual(['a', 'b'])
    expect((await apply(stage, critical)).outcome).toBe('applied')
    expect(shelf.things.has('box')).toBe(false)
  })

  test('stops at the first step that fails, and offers the rest and the way back', async () => {
    const { stage, shelf } = await openShelf()
    const preview = await bundle(stage, [put('a'), put('b'), put('c'), put('d')])
    shelf.trouble.set('c', 'full')
    const partial = await apply(stage, preview)
    expect(stepsOf(partial)).toEqual(['applied', 'applied', 'failed', 'not_run'])
    expect(partial.card).toMatchObject({
      state: 'partial',
      title: '2 of 4 changes made',
      blocks: [
        { kind: 'steps', steps: [{}, {}, { state: 'failed', note: 'The shelf is full.' }, { state: 'not-run' }] },
        {},
        {},
      ],
    })
    const [rest, undo] = offers(partial)
    expect(rest).toMatch(/^Preview: call apply_bundle\(plans=\["pl_\w+","pl_\w+"\], title="Fill the shelf"/)
    expect(undo).toMatch(
      /^Preview: call apply_bundle\(plans=\[\{"tool":"shelf_drop","arguments":\{"name":"b"\}\},\{"tool":"shelf_drop","arguments":\{"name":"a"\}\}\], title="Undo: Fill the shelf"/,
    )
    shelf.trouble.clear()
    expect(stepsOf(await apply(stage, await obey(stage, rest)))).toEqual(['applied', 'applied'])
    expect([...shelf.things.keys()]).toEqual(['a', 'b', 'c', 'd'])
    expect(stepsOf(await apply(stage, await obey(stage, undo)))).toEqual(['applied', 'applied'])
    expect([...shelf.things.keys()]).toEqual(['c', 'd'])
  })

  test('goes on after a failure where it was asked to', async () => {
    const { stage, shelf } = await openShelf()
    shelf.trouble.set('b', 'full')
    const preview = await bundle(stage, [put('a'), put('b'), put('c')], { on_failure: 'continue' })
    expect(stepsOf(await apply(stage, preview))).toEqual(['applied', 'failed', 'applied'])
  })

  test('says that nothing was made where the first step fails, and can be previewed again', async () => {
    const { stage, shelf } = await openShelf()
    shelf.trouble.set('a', 'full')
    const failed = await apply(stage, await bundle(stage, [put('a'), put('b')]))
    expect(failed).toMatchObject({
      outcome: 'failed',
      guidance: {
        error_type: 'nothing_applied',
        message: 'None of the 2 changes was made: step 1 (Put 1 a) failed. The shelf is full.',
      },
    })
    shelf.trouble.clear()
    const [again] = offers(failed)
    expect(stepsOf(await apply(stage, await obey(stage, again)))).toEqual(['applied', 'applied'])
  })

  test('stops at a step of which nobody knows what it did, and says so', async () => {
    const { stage, shelf } = await openShelf()
    shelf.trouble.set('b', 'throws')
    const partial = await apply(stage, await bundle(stage, [put('a'), put('b'), put('c')]))
    expect(stepsOf(partial)).toEqual(['applied', 'not_known', 'not_run'])
    expect(partial.card).toMatchObject({ state: 'partial', blocks: [{ steps: [{}, { state: 'unknown' }, {}] }, {}] })
    const [rest] = offers(partial)
    expect(rest).toMatch(/^Preview: call shelf_put\(name="c"/)
  })

  test('runs nothing where a step has moved, was taken back or has run since the card was made', async () => {
    const { stage, shelf } = await openShelf()
    shelf.things.set('box', 1)
    const moved = await bundle(stage, [put('a'), set('box', 2)])
    shelf.things.set('box', 7)
    const stale = await apply(stage, moved)
    expect(stale.outcome).toBe('stale')
    expect(shelf.ran).toEqual([])
    // The answer brings the preview of what is there now.
    expect(stepsOf(await apply(stage, stale))).toEqual(['applied', 'applied'])
    expect(shelf.things.get('box')).toBe(2)

    const single = await stage.ask('shelf_put', { name: 'b', count: 1 })
    const both = await bundle(stage, [single.planId, put('c')])
    expect((await stage.repeat(confirmed(single))).outcome).toBe('refused')
    await apply(stage, await stage.ask('shelf_put', { name: 'b', count: 1 }))
    const after = await apply(stage, both)
    expect(after.outcome).toBe('stale')
    expect(after.text).toContain('Step 1 (shelf_put) cannot be previewed')
    expect(shelf.ran.filter(({ name }) => name === 'b')).toHaveLength(1)
    expect(shelf.things.has('c')).toBe(false)
  })

  test('takes the calls that an agent had sent for the plans that they have got, and nothing else for them', async () => {
    const { stage, shelf } = await openShelf()
    const early = await planned(stage, put('early'))
    stage.clock.pass(60 * 60_000)
    const plans = [early, put('a'), put('b', 2)]
    const shown = await bundle(stage, plans)
    const again = (change: object): Promise<Answer> =>
      stage.send('apply_bundle', {
        plans,
        title: 'Fill the shelf',
        rationale: why,
        ticket: shown.card?.plan?.ticket,
        preview: false,
        ...change,
      })
    expect(stepsOf(await again({}))).toEqual(['applied', 'applied', 'applied'])
    expect((await again({})).outcome).toBe('replayed')
    expect(shelf.ran.map(({ name }) => name)).toEqual(['early', 'a', 'b'])
  })

  test.each([
    ['another count', [put('a'), put('b', 3)]],
    ['another order', [put('b', 2), put('a')]],
    ['one more', [put('a'), put('b', 2), put('c')]],
  ])('runs nothing of what was confirmed where the call has %s', async (_, others) => {
    const { stage, shelf } = await openShelf()
    const shown = await bundle(stage, [put('a'), put('b', 2)])
    const ticket = shown.card?.plan?.ticket
    const given = { plans: others, title: 'Fill the shelf', rationale: why, ticket, preview: false }
    const answer = await stage.send('apply_bundle', given)
    expect(answer.outcome).toBe('mismatch')
    expect(answer.card?.plan).toBeDefined()
    expect(shelf.ran).toEqual([])
  })

  test('gives nothing to a session that may not use the tool of one of its steps', async () => {
    const shelf = newShelf()
    const tools = shelfTools(shelf, { permissions: ['shelf:write'] })
    const stage = await createStage(tools)
    const shown = await bundle(stage, [put('a'), put('b')])
    const poor = caller({ permissions: [] })
    expect(await stage.repeat(confirmed(shown), poor)).toMatchObject({ outcome: 'refused', missing: ['shelf:write'] })
    expect(shelf.ran).toEqual([])
    await stage.repeat(confirmed(shown))
    const replayed = await stage.repeat(confirmed(shown), poor)
    expect(replayed.outcome).toBe('refused')
    expect(replayed.result).toBeUndefined()
    expect((await bundle(stage, [put('c'), put('d')], {}, poor)).guidance?.message).toMatch(/Step 1 \(shelf_put\)/)
  })

  test('shows the same call on one card at a time, and warns of what was applied a short time ago', async () => {
    const { stage, shelf } = await openShelf()
    const first = await bundle(stage, [put('a'), put('b')])
    const second = await bundle(stage, [put('a'), put('b')])
    expect((await apply(stage, first)).outcome).toBe('stale')
    expect(shelf.ran).toEqual([])
    expect(second.card?.plan).toBeDefined()
    const third = await bundle(stage, [put('a'), put('b')])
    await apply(stage, third)
    shelf.things.clear()
    const again = await bundle(stage, [put('a'), put('c')])
    expect(JSON.stringify(again.card?.blocks)).toContain('An identical call was applied')
  })

  test('leaves the cards alone that show its steps where one of the others cannot be shown', async () => {
    const { stage, shelf } = await openShelf()
    const single = await stage.ask('shelf_put', { name: 'a', count: 1 })
    expect((await bundle(stage, [single.planId, set('nothing', 1)])).outcome).toBe('failed')
    expect((await stage.repeat(confirmed(single))).outcome).toBe('applied')
    expect(shelf.ran).toHaveLength(1)
  })

  test('says what a step before it has changed of a step', async () => {
    const { stage, shelf } = await openShelf()
    shelf.things.set('box', 1)
    const partial = await apply(stage, await bundle(stage, [set('box', 2), set('box', 3)]))
    expect(stepsOf(partial)).toEqual(['applied', 'failed'])
    expect((partial.result as Steps).steps[1]?.error).toMatchObject({
      code: 'stale',
      message: 'What it rests on has changed since you looked, maybe by a step before it. Preview it again.',
    })
    expect(offers(partial)[0]).toMatch(/^Preview: call shelf_set\(name="box", count=3/)
  })

  test('asks an approver where the proof is missing, keeps its steps for as long as that takes, and then runs them', async () => {
    const shelf = newShelf()
    shelf.things.set('box', 1)
    const { store, clock, engine: plain } = await createStage(shelfTools(shelf))
    const engine = { ...plain, approvals: store.approvals }
    const ask = (args: object): Promise<Answer> =>
      call(engine, requestOf('apply_bundle', { title: 'Tidy', rationale: why, ...args }, caller({ cards: 'no' })))
    const plans = [put('a'), drop('box')]
    const asked = await ask({ plans })
    expect(asked.outcome).toBe('awaiting_approval')
    expect(JSON.stringify(asked.card?.blocks)).toContain('box is gone for good.')
    clock.pass(20 * 60 * 60_000)
    const id = asked.approval?.id ?? ''
    const by = { name: 'max', person: 'admin-token', via: 'terminal' } as const
    expect((await store.approvals.decide(id, { decision: 'approved', by })).kind).toBe('decided')
    const applied = await ask({ plans, ticket: id, preview: false })
    expect(stepsOf(applied)).toEqual(['applied', 'applied'])
    expect(shelf.things.has('box')).toBe(false)
  })

  test('leaves none of its steps open where a person cancels it, and keeps them no longer than its Confirm', async () => {
    const { stage, shelf } = await openShelf()
    const step = (answer: Answer): Promise<Answer> => {
      const [ticket] = /pl_[a-z0-9]+/.exec(/plans=\[[^\]]*\]/.exec(confirmed(answer))?.[0] ?? '') ?? []
      return stage.ask('shelf_put', { name: 'a', count: 1, ticket, preview: false })
    }

    const cancelled = await bundle(stage, [put('a'), put('b')])
    await stage.press('countersign_plan_cancel', cancelled)
    expect((await step(cancelled)).outcome).toBe('refused')

    const forgotten = await bundle(stage, [put('a'), put('b')])
    stage.clock.pass(30 * 60_000)
    expect((await step(forgotten)).outcome).toBe('refused')
    expect(shelf.ran).toEqual([])
    expect((await step(await bundle(stage, [put('a'), put('b')]))).outcome).toBe('applied')
  })

  test('leaves none of its steps open that did not run, and the rest can be had by a new preview', async () => {
    const { stage, shelf } = await openShelf()
    shelf.trouble.set('a', 'full')
    const preview = await bundle(stage, [put('a'), put('b')])
    const [, ticket] = confirmed(preview).match(/pl_[a-z0-9]+/g) ?? []
    const failed = await apply(stage, preview)
    expect((await stage.ask('shelf_put', { name: 'b', count: 1, ticket, preview: false })).outcome).toBe('refused')
    expect(shelf.ran.map(({ name }) => name)).not.toContain('b')
    shelf.trouble.clear()
    const again = await bundle(stage, [put('a'), ticket])
    expect(again.outcome, failed.text).toBe('previewed')
    expect(stepsOf(await apply(stage, again))).toEqual(['applied', 'applied'])
  })

  test('leaves no step open that was refused before it began, because it was another one by then', async () => {
    const shelf = newShelf()
    const of = ({ name }: { readonly name: string }) => (name === 'b' && shelf.ran.length > 0 ? 'high' : 'medium')
    const stage = await createStage(shelfTools(shelf, { risk: { atMost: 'high', of } }))
    const preview = await bundle(stage, [put('a'), put('b')])
    const [, ticket] = confirmed(preview).match(/pl_[a-z0-9]+/g) ?? []
    const partial = await apply(stage, preview)
    expect(partial.result).toMatchObject({ steps: [{ state: 'applied' }, { error: { code: 'not_as_shown' } }] })
    shelf.ran.length = 0
    expect((await stage.ask('shelf_put', { name: 'b', count: 1, ticket, preview: false })).outcome).toBe('refused')
    expect(shelf.ran).toEqual([])
  })

  test('takes no step that needs an approval of its own', async () => {
    const { stage } = await openShelf({
      settings: { approvals: [{ tools: ['shelf_set'], approvers: 2, fourEyes: false }] },
    })
    await apply(stage, await stage.ask('shelf_put', { name: 'box', count: 1 }))
    const answer = await bundle(stage, [put('a'), set('box', 2)])
    expect(answer.guidance?.message).toBe('Step 2 (shelf_set) needs an approval of its own: call it by itself.')
  })

  test('puts each step on record as a call of its own, which names the bundle', async () => {
    const { stage } = await openShelf()
    const engine = { ...stage.engine, activityLog: stage.store.activityLog }
    const given = { plans: [put('a'), put('b')], title: 'Fill', rationale: why }
    const shown = await call(engine, asBundlePreview(requestOf('plan_bundle', given)))
    const message = parseMessage(confirmed(shown))
    if (!message.ok || message.value.kind !== 'apply') throw new Error('no Apply message')
    await call(engine, requestOf(message.value.tool, message.value.args))
    const { calls } = await stage.store.activity.page({ filter: {}, limit: 10 })
    expect(calls.map(({ tool, status }) => [tool, status]).toReversed()).toEqual([
      ['apply_bundle', 'previewed'],
      ['apply_bundle', 'applied'],
      ['shelf_put', 'applied'],
      ['shelf_put', 'applied'],
    ])
    const rows = await Promise.all(calls.map(({ id }) => stage.store.activity.find(id)))
    const steps = rows.filter((row) => row?.tool === 'shelf_put')
    expect(steps.flatMap((row) => row?.notes ?? []).toSorted()).toEqual([
      `Step 1 of 2 of the bundle ${shown.planId}.`,
      `Step 2 of 2 of the bundle ${shown.planId}.`,
    ])
    expect(steps.map((row) => row?.verdict)).toEqual(['allow:bundle', 'allow:bundle'])
  })

  test('hides the secrets of its calls in its rows as those of the calls themselves', async () => {
    const input = z.strictObject({ label: z.string(), pin: z.string() })
    const tool = writeTool({
      name: 'keys.keep',
      input,
      output: z.strictObject({ pin: z.string() }),
      secrets: { arguments: ['/pin'], result: ['/pin'] },
      run: ({ pin }) => ({ pin }),
    })
    const stage = await createStage([tool, ...bundlesFor([tool], false)])
    const engine = { ...stage.engine, activityLog: stage.store.activityLog }
    const plans = ['a', 'b'].map((label) => ({ tool: 'keys_keep', arguments: { label, pin: `1234${label}` } }))
    const shown = await call(engine, requestOf('apply_bundle', { plans, title: 'Keys', rationale: why }))
    const again = { plans, title: 'Keys', rationale: why, ticket: shown.card?.plan?.ticket, preview: false }
    const applied = await call(engine, requestOf('apply_bundle', again))
    expect(stepsOf(applied)).toEqual(['applied', 'applied'])
    const { calls } = await stage.store.activity.page({ filter: {}, limit: 10 })
    const rows = await Promise.all(calls.map(({ id }) => stage.store.activity.find(id)))
    expect(rows).toHaveLength(4)
    expect(JSON.stringify(rows)).not.toContain('1234')
  })

  test('sends no step to a server that has frozen, and names the freeze', async () => {
    const { stage, shelf } = await openShelf()
    const engine = { ...stage.engine, switches: stage.store.switches }
    const shown = await bundle(stage, [put('a'), put('b')])
    await stage.store.switches.freeze({ tenant: undefined, reason: 'We look into it.', by: 'max' })
    const message = parseMessage(confirmed(shown))
    if (!message.ok || message.value.kind !== 'apply') throw new Error('no Apply message')
    const answer = await call(engine, requestOf(message.value.tool, message.value.args))
    expect(answer.outcome).toBe('refused')
    expect(answer.text).toContain('We look into it.')
    expect(shelf.ran).toEqual([])
  })
})
