// A process that dies between "the tool ran" and "it is on record".
import { expect } from 'vitest'
import { eventually } from '../../eventually.ts'
import { confirm } from '../agent.ts'
import type { Desk } from '../fixture-server.ts'

/** Short enough that the lease of a killed process has lapsed by the time the next one has started. */
export const soonLost = { leaseMs: 300 }

/** Kills a process of this desk while it applies a plan of this tool; answers the plan's preview. */
export async function killedWhile(desk: Desk, tool: string) {
  const agent = await desk.stdio(soonLost)
  const preview = await agent.call(tool, { text: 'one' })
  // Nobody will ever answer this one.
  const lost = confirm(agent, preview).catch((error: unknown) => error)
  await eventually(() => expect(desk.runs()).toHaveLength(1))
  process.kill(agent.pid, 'SIGKILL')
  expect(await lost).toBeInstanceOf(Error)
  desk.release()
  return preview
}
