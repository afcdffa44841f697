// A host closes its server without asking what is going on. What has begun must still get its ending.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { compose } from '../../server/compose/compose.ts'
import { call } from '../../server/rail/call.ts'
import type { Caller } from '../../server/rail/engine.ts'
import { defineTool } from '../../server/tools/define-tool.ts'
import { freshDatabase } from './at-end.ts'

const caller: Caller = {
  principal: { tenant: 'default', subject: 'somebody' },
  permissions: 'all',
  client: 'test',
  cards: 'yes',
  trusted: false,
}

const slow = (finish: Promise<void>, begun: () => void) =>
  defineTool({
    name: 'slow.write',
    title: 'Write slowly',
    noun: 'the slow write',
    description: 'Writes, when it is let.',
    operation: 'write',
    risk: 'medium',
    idempotency: 'plan',
    input: z.strictObject({}),
    output: z.strictObject({ done: z.boolean() }),
    sideEffects: [{ what: 'Something is written.', onRepeat: 'It is written again.' }],
    failures: { full: { effect: 'none', guidance: 'Make room.' } },
    preview: () => ({ title: 'Write slowly', summary: 'Writes slowly.', confirmLabel: 'Write' }),
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
    const open = async () => {
      const composed = await compose({ file, tools })
      if (!composed.ok) throw new Error(composed.failure.message)
      return composed.value
    }
    const ask = (args: Record<string, unknown>) => ({
      tool: 'slow_write',
      args: { rationale: 'The test closes the server in the middle.', ...args },
      caller,
      signal: new AbortController().signal,
    })

    const first = await open()
    const ticket = (await call(first.parts.engine, ask({}))).planId
    const running = call(first.parts.engine, ask({ ticket, preview: false }))
    await begun
    const closed = first.close()
    letGo()
    expect((await running).outcome).toBe('applied')
    await closed

    const second = await open()
    const again = await call(second.parts.engine, ask({ ticket, preview: false }))
    expect(again).toMatchObject({ outcome: 'replayed', result: { done: true } })
    await second.close()
  })
})
