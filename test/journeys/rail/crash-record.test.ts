// What is left of a process that died while it ran a tool: a plan that nobody may ever ask for again, and an open row. The
// row must name the plan, and the plan must not stay "being applied" for ever.
import { expect, onTestFinished, test, vi } from 'vitest'
import { openStore } from '../../../server/store/store.ts'
import { databases, freshDatabase, testSecret } from '../../postgres.ts'
import { casesOf } from '../../full.ts'
import { confirm } from '../agent.ts'
import { createDesk } from '../fixture-server.ts'
import { longest } from '../../longest.ts'

const patience = { timeout: longest, interval: 100 }

test.each(casesOf(databases, String, ['postgres']))(
  'on %s, the open row of a process that was killed names its plan, and the sweep writes down that its run was lost',
  async (database) => {
    const fresh = await freshDatabase(database)
    onTestFinished(() => fresh.drop())
    const desk = createDesk(fresh.url, { COUNTERSIGN_SECRET: testSecret })
    const agent = await desk.stdio({ leaseMs: 300 })
    const preview = await agent.call('marks_add', { text: 'one' })
    desk.hold()
    const lost = confirm(agent, preview).catch((error: unknown) => error)
    await vi.waitFor(() => expect(desk.runs()).toStrictEqual([preview.planId]), patience)
    process.kill(agent.pid, 'SIGKILL')
    expect(await lost).toBeInstanceOf(Error)

    const opened = await openStore({ file: fresh.url, secret: testSecret })
    if (!opened.ok) throw new Error(opened.failure.message)
    const store = opened.value
    onTestFinished(() => store.close())
    expect(await store.activity.story(preview.planId)).toMatchObject([
      { status: 'previewed', planId: preview.planId },
      { status: 'open', tool: 'marks_add', planId: preview.planId, events: [] },
    ])
    const stateOf = async () =>
      (
        await store.db
          .$extendTables<{ countersign_plans: { id: string; state: string } }>()
          .selectFrom('countersign_plans')
          .select('state')
          .where('id', '=', preview.planId)
          .executeTakeFirstOrThrow()
      ).state
    await vi.waitFor(async () => {
      await store.sweep()
      expect(await stateOf()).toBe('unknown')
    }, patience)
    expect(await store.activity.verify()).toMatchObject([{ problem: undefined }])
  },
)
