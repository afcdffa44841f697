// The names by which auditors find what happened: the one of the contract, and those of the tool's own events.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { call } from '../../../../server/rail/call.ts'
import { composed } from '../../../kit/composed.ts'
import { requestOf } from '../../../kit/calls.ts'
import { writeTool } from '../../../kit/tools.ts'

test('a row has the audit event that its contract names, and the events that its tool adds', async () => {
  const shape = z.strictObject({ to: z.array(z.string()) })
  const send = writeTool({
    name: 'mails.send',
    auditEvent: 'email.external.sent',
    input: shape,
    output: shape,
    preview: ({ to }) => ({ title: 'Send', summary: `Sends ${to.length} mails.`, confirmLabel: 'Send' }),
    run: async (input, ctx) => {
      for (const to of input.to) await ctx.audit('email.delivered', { to })
      return input
    },
  })
  const { parts, store } = await composed({ file: ':memory:', tools: [send] })
  const args = { to: ['ada@example.org', 'bob@example.org'], rationale: 'Both asked for the minutes.' }
  const { planId } = await call(parts.engine, requestOf('mails_send', args))
  await call(parts.engine, requestOf('mails_send', { ...args, ticket: planId, preview: false }))
  const { calls } = await store.activity.page({ limit: 5 })
  const rows = await Promise.all(calls.map(({ id }) => store.activity.find(id)))
  expect(rows).toMatchObject([
    {
      status: 'applied',
      auditEvent: 'email.external.sent',
      events: [{ name: 'email.delivered', data: '{"to":"ada@example.org"}' }, { name: 'email.delivered' }],
    },
    { status: 'previewed', auditEvent: 'email.external.sent', events: [] },
  ])
})
