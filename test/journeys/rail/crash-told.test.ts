// What is said of a call whose process was killed: the truth where its contract can find it, and while the lease of the dead
// process lasts that it runs.
import { afterEach, beforeEach, expect, test } from 'vitest'
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

test('a call is told from the truth where the contract can find it: applied', async () => {
  const preview = await killedWhile(desk, 'marks_add_known')
  const agent = await desk.stdio(soonLost)
  await eventually(async () => expect((await confirm(agent, preview)).status).toBe('replayed'))
  expect((await confirm(agent, preview)).data).toMatchObject({ status: 'replayed', result: { text: 'one' } })
  expect(desk.runs()).toStrictEqual([preview.planId])
})

test('a call is told from the truth where the contract can find it: it never took effect', async () => {
  const preview = await killedWhile(desk, 'marks_add_known')
  desk.forget()
  const agent = await desk.stdio(soonLost)
  await eventually(async () => expect((await confirm(agent, preview)).status).toBe('refused'))
  expect((await confirm(agent, preview)).text).toContain('failed without effect')
  expect(desk.runs()).toStrictEqual([])
})

test('a call is told as running while the lease of the dead process lasts', async () => {
  const agent = await desk.stdio({ leaseMs: 60_000 })
  const preview = await agent.call('marks_add', { text: 'one' })
  const lost = confirm(agent, preview).catch((error: unknown) => error)
  await eventually(() => expect(desk.runs()).toHaveLength(1))
  process.kill(agent.pid, 'SIGKILL')
  await lost
  const other = await desk.stdio({ leaseMs: 60_000 })
  expect(await confirm(other, preview)).toMatchObject({ status: 'running', isError: false })
  expect(desk.runs()).toHaveLength(1)
})
