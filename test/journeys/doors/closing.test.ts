// A host closes its server without asking what is going on. What has begun must still get its ending.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { call } from '../../../server/rail/call.ts'
import { requestOf } from '../../kit/calls.ts'
import { composed } from '../../kit/composed.ts'
import { writeTool } from '../../kit/tools.ts'
import { freshDatabase } from '../at-end.ts'

const slow = (finish: Promise<void>, begun: () => void) =>
  writeTool({
    name: 'slow.write',
    input: z.strictObject({}),
    output: z.strictObject({ done: z.boolean() }),
    run: async () => {
      begun()
      await finish
      return { done: true }
    },
  })

describe('closing a server', () => {
  test('waits for a run that has begun, so that a restart finds its ending', async () => {
    const file = freshDatabase()
    let letGo = (): void => undefined
    let begin = (): void => undefined
    const finish = new Promise<void>((resolve) => (letGo = resolve))
    const begun = new Promise<void>((resolve) => (begin = resolve))
    const tools = [slow(finish, () => begin())]
    const ask = (args: Record<string, unknown>) =>
      requestOf('slow_write', { rationale: 'The test closes the server in the middle.', ...args })

    const first = await composed({ file, tools })
    const ticket = (await call(first.parts.engine, ask({}))).planId
    const running = call(first.parts.engine, ask({ ticket, preview: false }))
    await begun
    const closed = first.close()
    letGo()
    expect((await running).outcome).toBe('applied')
    await closed

    const second = await composed({ file, tools })
    const again = await call(second.parts.engine, ask({ ticket, preview: false }))
    expect(again).toMatchObject({ outcome: 'replayed', result: { done: true } })
  })
})
