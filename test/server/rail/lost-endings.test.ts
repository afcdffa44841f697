// An ending that the store would not take. Whoever ran the plan knows it all the same, for as long as the process lives.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { eventually } from '../../eventually.ts'
import { confirmed, openBook } from './rail-fixture.ts'

/** A stage, and how its database is kept from taking the end of a plan. */
const openFailing = async (...how: Parameters<typeof openBook>) => {
  const { stage, book } = await openBook(...how)
  const { activityLog, db } = stage.store
  Object.assign(stage.engine, { activityLog })
  const run = (statement: string) => sql.raw(statement).execute(db)
  return {
    stage,
    book,
    takeNoEnd: (state = 'applied') =>
      run(
        `create trigger takes_no_end before update on countersign_plans when new.state = '${state}' begin select raise(abort, 'disk full'); end`,
      ),
    takeEnds: () => run('drop trigger takes_no_end'),
  }
}

test('an ending is written once the store takes it again, and the plan never runs a second time', async () => {
  const { stage, book, takeNoEnd, takeEnds } = await openFailing()
  const preview = await stage.ask('notes_write', { text: 'x' })
  await takeNoEnd()
  expect((await stage.repeat(confirmed(preview))).outcome).toBe('outcome_unknown')
  await takeEnds()
  await eventually(async () =>
    expect(await stage.store.plans.find({ by: 'id', id: preview.planId ?? '' })).toMatchObject({
      state: 'applied',
    }),
  )
  expect(await stage.repeat(confirmed(preview))).toMatchObject({ outcome: 'replayed', result: { id: 'N-1' } })
  expect(book).toHaveLength(1)
})

test('a run that was not begun because its time was over is not said to have been suspended', async () => {
  let gate = Promise.resolve('same')
  const settings = { runTimeoutMs: 50 }
  const { stage, book, takeNoEnd, takeEnds } = await openFailing({ basis: () => gate }, { settings })
  const preview = await stage.ask('notes_write', { text: 'x' })
  const slow = Promise.withResolvers<string>()
  gate = slow.promise
  await takeNoEnd('failed')
  expect((await stage.repeat(confirmed(preview))).outcome).toBe('failed')
  await takeEnds()
  // What it waited for comes before the ending is tried again, so this is what the record says.
  slow.resolve('same')
  await eventually(async () => {
    const plan = await stage.store.plans.find({ by: 'id', id: preview.planId ?? '' })
    expect(plan).toMatchObject({ state: 'failed', ending: { failure: { code: 'not_started' } } })
  })
  const plan = await stage.store.plans.find({ by: 'id', id: preview.planId ?? '' })
  expect(JSON.stringify(plan)).toContain('The run was not begun')
  expect(JSON.stringify(plan)).not.toContain('suspended')
  expect(book).toHaveLength(0)
})
