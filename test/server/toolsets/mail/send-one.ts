// A process that sends one mail from the database and to the server that its arguments name. Its test kills it meanwhile.
import { recordingOf } from '../../../../server/compose/toolsets.ts'
import { openStore } from '../../../../server/store/store.ts'
import { openMail } from '../../../../server/toolsets/mail/open-mail.ts'
import { readOptions } from '../../../../server/toolsets/mail/options.ts'
import type { RunContext, WriteContract } from '../../../../server/tools/contract.ts'

const [file = '', url = '', secret = ''] = process.argv.slice(2)
const opened = await openStore({ file, ...(secret === '' ? {} : { secret }) })
if (!opened.ok) throw new Error(opened.failure.message)
const set = await openMail(readOptions({ url, from: 'hello@acme.example' }), {
  db: opened.value.db,
  recording: recordingOf(opened.value),
  now: Date.now,
  deriveKey: () => new Uint8Array(32),
  report: String,
  publicUrl: () => undefined,
  folder: () => undefined,
  secretsIn: () => [],
  redact: (text) => text,
  files: () => undefined,
})
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
