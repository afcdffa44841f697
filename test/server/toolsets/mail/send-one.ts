// A process that sends one mail from the database and to the server that its arguments name. Its test kills it meanwhile.
import type { RunContext, WriteContract } from '../../../../server/tools/contract.ts'
import { openAlone } from './open-alone.ts'

const { set } = await openAlone()
const tool = set.tools.find(({ name }) => name === 'emails.send_external') as WriteContract
const ctx: RunContext = {
  principal: { tenant: 'default', subject: 'ada' },
  rationale: '',
  now: Date.now,
  signal: new AbortController().signal,
  cancelled: new AbortController().signal,
  progress: () => undefined,
  meta: {},
  guidance: { errors: true, budget: true },
  conclude: () => undefined,
  audit: () => Promise.resolve(),
  fail: (code, message) => ({ kind: 'tool-failed', code, message }),
  idempotencyKey: 'pl_killed',
  basis: undefined,
  stale: () => ({ kind: 'tool-stale' }),
}
const input = { to: ['bea@other.example'], subject: 'Offer', body: 'Hello.' }
const { idempotencyKey: _, ...looking } = ctx
const basis = await tool.basis?.(input, looking)
await tool.run(input, { ...ctx, basis: typeof basis === 'string' ? basis : undefined })
