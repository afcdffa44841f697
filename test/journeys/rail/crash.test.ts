// Between "the tool ran" and "it is on record" a process can die, and a tool can outlast the patience of its caller. The
// rail's promise for both: say so, and never run it a second time to find out.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../../eventually.ts'
import { confirm } from '../agent.ts'
import { createDesk, type Desk } from '../fixture-server.ts'
import { killedWhile, soonLost } from './killed-while.ts'

let desk: Desk

beforeEach(() => {
  desk = createDesk()
  desk.hold()
})
afterEach(() => desk.release())

describe('a process that is killed while a tool runs', () => {
  test('leaves an outcome that is not known, and a restart does not run it again', async () => {
    const preview = await killedWhile(desk, 'marks_add')
    const agent = await desk.stdio(soonLost)
    await eventually(async () => expect((await confirm(agent, preview)).status).toBe('outcome_unknown'))
    const again = await confirm(agent, preview)
    expect(again).toMatchObject({ status: 'outcome_unknown', isError: true, planId: preview.planId })
    expect(again.guidance).toMatchObject({ error_type: 'outcome_unknown', retryable: 'no' })
    expect(again.text).toContain('will not be run again automatically')
    expect(again.card).toMatchObject({ kind: 'error', state: 'unknown', plan_id: preview.planId })
    expect(desk.runs()).toStrictEqual([preview.planId])
  })

  test('of a tool that writes in the transaction of its plan leaves nothing, and the plan can be applied', async () => {
    const preview = await killedWhile(desk, 'marks_keep')
    const agent = await desk.stdio(soonLost)
    expect((await agent.call('marks_kept')).data).toMatchObject({ texts: [] })
    expect((await confirm(agent, preview)).data).toMatchObject({ status: 'applied', result: { text: 'one' } })
    expect((await confirm(agent, preview)).status).toBe('replayed')
    expect((await agent.call('marks_kept')).data).toMatchObject({ texts: ['one'] })
  })
})

describe('a run that lasts longer than anybody waits', () => {
  test('is not known at first; once it ends, a repeat tells its result, and it ran once', async () => {
    const agent = await desk.stdio({ runTimeoutMs: 200 })
    const preview = await agent.call('marks_add', { text: 'slow' })
    const late = await confirm(agent, preview)
    expect(late).toMatchObject({ status: 'outcome_unknown', isError: true })
    expect(late.text).toContain('timed_out')
    desk.release()
    await eventually(async () => expect((await confirm(agent, preview)).status).toBe('replayed'))
    expect((await confirm(agent, preview)).data).toMatchObject({ result: { text: 'slow' } })
    expect(desk.runs()).toStrictEqual([preview.planId])
  })

  test('is told as running to a second caller, who does not start it', async () => {
    const agent = await desk.stdio()
    const preview = await agent.call('marks_add', { text: 'busy' })
    const first = confirm(agent, preview)
    await eventually(() => expect(desk.runs()).toHaveLength(1))
    const second = await confirm(await desk.stdio(), preview)
    expect(second).toMatchObject({ status: 'running', isError: false, planId: preview.planId })
    desk.release()
    expect(await first).toMatchObject({ status: 'applied', isError: false })
    expect(desk.runs()).toHaveLength(1)
  })
})
