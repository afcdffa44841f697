// What the tests of mail share: the toolset on a real store, with a clock that only the test moves, files of its own, and a
// caller that goes the way the engine goes: parse, basis, preview, run.
import { createHash } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { recordingOf } from '../../../../server/compose/toolsets.ts'
import { ok, fail as failure } from '../../../../server/errors/result.ts'
import type { Principal } from '../../../../server/model/principal.ts'
import { findSecrets } from '../../../../server/policy/find-secrets.ts'
import { redactText } from '../../../../server/policy/redact.ts'
import type {
  Contract,
  Preview,
  RunContext,
  ToolContext,
  ToolFailed,
  WriteContract,
} from '../../../../server/tools/contract.ts'
import type { Recording } from '../../../../server/toolsets/toolset.ts'
import type { FileSource, SourceFile } from '../../../../server/toolsets/file-source.ts'
import { openMail } from '../../../../server/toolsets/mail/open-mail.ts'
import { readOptions, type MailOptions } from '../../../../server/toolsets/mail/options.ts'
import type { MailDatabase } from '../../../../server/toolsets/mail/schema.ts'
import type { SentOut } from '../../../../server/toolsets/mail/views.ts'
import { createClock } from '../../../kit/clock.ts'
import { opened } from '../../store/store-fixture.ts'

export const ada: Principal = { tenant: 'default', subject: 'ada' }

interface DeskOptions extends Partial<MailOptions> {
  readonly url: string
}

let keys = 0

export type MailDesk = Awaited<ReturnType<typeof openDesk>>

/** The toolset as ada uses it; it ends with its test. */
export async function openDesk(
  options: DeskOptions,
  {
    file = ':memory:',
    clock = createClock(),
    leaseMs = 60_000,
    lookMs = 2000,
    around = (recording: Recording): Recording => recording,
  } = {},
) {
  const store = await opened({ file, now: clock.now })
  const files = fileSource()
  const told: unknown[] = []
  const set = await openMail(
    readOptions({ from: 'Acme <hello@acme.example>', ...options }),
    {
      db: store.db,
      recording: around(recordingOf(store)),
      now: clock.now,
      deriveKey: () => new Uint8Array(32),
      report: (error) => `in_${told.push(error)}`,
      publicUrl: () => undefined,
      folder: () => undefined,
      secretsIn: findSecrets,
      redact: redactText,
      files: () => files,
    },
    { leaseMs, lookMs, patienceMs: 0 },
  )
  onTestFinished(() => set.close())
  const tool = (name: string): Contract => {
    const found = set.tools.find((each) => each.name === name)
    if (found === undefined) throw new Error(`there is no ${name}`)
    return found
  }
  const write = (name: string): WriteContract => {
    const found = tool(name)
    if (found.operation === 'read') throw new Error(`${name} only reads`)
    return found
  }
  const context = (contract: Contract, principal: Principal): ToolContext => ({
    principal,
    rationale: 'The test asks for it.',
    now: clock.now,
    signal: new AbortController().signal,
    progress: () => undefined,
    meta: {},
    guidance: { errors: true, budget: true },
    conclude: () => undefined,
    audit: () => Promise.resolve(),
    fail: (code, message, more = {}) => {
      if (!(code in contract.failures)) throw new Error(`${contract.name} does not declare ${code}`)
      return { kind: 'tool-failed', code, message, ...more }
    },
  })
  const runContext = (
    contract: Contract,
    principal: Principal,
    basis: string | undefined,
    key: string,
  ): RunContext => ({
    ...context(contract, principal),
    idempotencyKey: key,
    cancelled: new AbortController().signal,
    basis,
    stale: () => ({ kind: 'tool-stale' }),
  })
  const parsed = (contract: Contract, input: unknown): unknown => contract.input.parse(input)
  const basis = async (name: string, input: unknown, as = ada) =>
    write(name).basis?.(parsed(tool(name), input), context(tool(name), as)) ?? ''
  const run = async (name: string, input: unknown, given: string | undefined, key = `pl_${(keys += 1)}`, as = ada) =>
    write(name).run(parsed(tool(name), input), runContext(tool(name), as, given, key))
  const apply = async (name: string, input: unknown, key?: string, as = ada) => {
    const found = await basis(name, input, as)
    return typeof found === 'string' ? run(name, input, found, key, as) : found
  }
  return {
    db: store.db as unknown as MailDatabase,
    activity: store.activity,
    clock,
    files,
    told,
    set,
    outbox: set.outbox,
    campaigns: set.campaigns,
    /** States of all mails, or of all recipients, in order. */
    states: async (of: 'mail_emails' | 'mail_recipients' = 'mail_emails') =>
      (await (store.db as unknown as MailDatabase).selectFrom(of).select('state').execute()).map(({ state }) => state),
    tool,
    write,
    basis,
    run,
    /** Basis and run in one go. */
    apply,
    preview: async (name: string, input: unknown, as = ada): Promise<Preview> => {
      const shown = await write(name).preview(parsed(tool(name), input), context(tool(name), as))
      if ('kind' in shown) throw new Error(`expected a preview, got ${shown.code}: ${shown.message}`)
      return shown
    },
    read: async (name: string, input: unknown, as = ada) => {
      const contract = tool(name)
      if (contract.operation !== 'read') throw new Error(`${name} writes`)
      return contract.run(parsed(contract, input), context(contract, as))
    },
    reconcile: async (name: string, input: unknown, key: string) =>
      write(name).reconcile?.(parsed(tool(name), input), { ...context(tool(name), ada), idempotencyKey: key }),
    /** Sends a mail to these, and answers what the call does. */
    send: (input: Readonly<Record<string, unknown>> = {}, key?: string) =>
      apply('emails.send_external', { ...letter, ...input }, key),
  }
}

export const letter = { to: ['bea@other.example'], subject: 'Offer', body: 'Dear Bea,\n\nhere is the offer.' }

/** Files in memory, which a test may change. */
export function fileSource() {
  const kept = new Map<string, SourceFile & { readonly content: Uint8Array }>()
  const source: FileSource & { put(id: string, name: string, type: string, content: Uint8Array): void } = {
    put(id, name, type, content) {
      const sha256 = createHash('sha256').update(content).digest('hex')
      const version = (kept.get(id)?.version ?? 0) + 1
      kept.set(id, { id, name, type, bytes: content.length, version, sha256, content })
    },
    find: ({ subject }, id) => {
      const file = subject === ada.subject ? kept.get(id) : undefined
      if (file === undefined) return Promise.resolve(undefined)
      const { content: _, ...described } = file
      return Promise.resolve(described)
    },
    read: (_principal, { id, version }) => {
      const file = kept.get(id)
      return Promise.resolve(
        file === undefined ? failure('gone') : file.version === version ? ok(file.content) : failure('changed'),
      )
    },
  }
  return source
}

/** The failure that a call answered. */
export function failed(answer: unknown): ToolFailed {
  if (typeof answer === 'object' && answer !== null && 'kind' in answer && answer.kind === 'tool-failed')
    return answer as ToolFailed
  throw new Error(`expected a failure, got ${JSON.stringify(answer)}`)
}

/** What a mail that was sent answers. */
export function sent(answer: unknown): SentOut {
  if (typeof answer === 'object' && answer !== null && 'emailId' in answer) return answer as SentOut
  throw new Error(`expected a mail, got ${JSON.stringify(answer)}`)
}
