// What the tests of mail share: the toolset on a real store, with a clock that only the test moves, files of its own, and a
// caller that goes the way the engine goes: parse, basis, preview, run.
import { createHash } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { recordingOf } from '../../../../server/compose/toolsets.ts'
import { ok, fail as failure } from '../../../../server/errors/result.ts'
import type { CardBlock } from '../../../../server/model/card.ts'
import type { Contract } from '../../../../server/tools/contract.ts'
import type { Recording } from '../../../../server/toolsets/toolset.ts'
import type { FileSource, SourceFile } from '../../../../server/toolsets/file-source.ts'
import { openMail } from '../../../../server/toolsets/mail/open-mail.ts'
import { readOptions, type MailOptions } from '../../../../server/toolsets/mail/options.ts'
import type { MailDatabase, MailRecording } from '../../../../server/toolsets/mail/schema.ts'
import type { SentOut } from '../../../../server/toolsets/mail/views.ts'
import { createClock } from '../../../kit/clock.ts'
import { ada, callsOf, partsOf, shown } from '../../../kit/toolset.ts'
import { opened } from '../../store/store-fixture.ts'

export { ada, failed } from '../../../kit/toolset.ts'

interface DeskOptions extends Partial<MailOptions> {
  readonly url: string
}

export type MailDesk = Awaited<ReturnType<typeof openDesk>>

/** The toolset as ada uses it; it ends with its test. */
export async function openDesk(
  options: DeskOptions,
  {
    file = ':memory:',
    clock = createClock(),
    leaseMs = 60_000,
    lookMs = 2000,
    keepMs = 60_000,
    around = (recording: Recording): Recording => recording,
    /** Files of another toolset, in place of those in memory. */
    source = undefined as FileSource | undefined,
  } = {},
) {
  const store = await opened({ file, now: clock.now })
  const files = fileSource()
  const told: unknown[] = []
  const recording = around(recordingOf(store))
  const set = await openMail(
    readOptions({
      from: 'Acme <hello@acme.example>',
      ...options,
      // Quotas that no test meets by chance.
      policy: { recipientsPerHour: 1e9, recipientsPerDay: 1e9, ...options.policy },
    }),
    partsOf(store, {
      recording,
      report: (error) => `in_${told.push(error)}`,
      files: () => source ?? files,
    }),
    { leaseMs, lookMs, keepMs, patienceMs: 0 },
  )
  onTestFinished(() => set.close())
  const calls = callsOf(set.tools, clock.now)
  const keyed = (key?: string) => (key === undefined ? {} : { idempotencyKey: key })
  const apply = async (name: string, input: unknown, key?: string, as = ada) => calls.apply(name, input, keyed(key), as)
  return {
    db: store.db as unknown as MailDatabase,
    store,
    activity: store.activity,
    clock,
    recording: recording as unknown as MailRecording,
    files,
    told,
    set,
    outbox: set.outbox,
    campaigns: set.campaigns,
    /** States of all mails, or of all recipients, in order. */
    states: async (of: 'mail_emails' | 'mail_recipients' = 'mail_emails') =>
      (await (store.db as unknown as MailDatabase).selectFrom(of).select('state').execute()).map(({ state }) => state),
    ...calls,
    run: async (name: string, input: unknown, basis: string | undefined, key?: string, as = ada) =>
      calls.run(name, input, { basis, ...keyed(key) }, as),
    /** Basis and run in one go. */
    apply,
    preview: async (name: string, input: unknown, as = ada) => shown(await calls.preview(name, input, as)),
    /** The preview as a card in this language has it. */
    previewIn: (language: string, name: string, input: unknown) => calls.preview(name, input, ada, language),
    /** Sends a mail to these, and answers what the call does. */
    send: (input: Readonly<Record<string, unknown>> = {}, key?: string) =>
      apply('emails.send_external', { ...letter, ...input }, key),
    /** Before the test ends: of hundreds of desks PostgreSQL has no connections left. */
    close: async (): Promise<void> => {
      await set.close()
      await store.close()
    },
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

/** The blocks of a card that are of this kind. */
export const blocksOf = <K extends CardBlock['kind']>(blocks: readonly CardBlock[] = [], kind: K) =>
  blocks.filter((each): each is Extract<CardBlock, { kind: K }> => each.kind === kind)

/** What a tool that sends mail declares; the rest of its contract is its own. */
export const sendsMail = {
  risk: 'critical',
  category: 'communication',
  autonomous: false,
  dryRunRequired: true,
  external: true,
} as const

/** The failures of a tool, each with what it leaves behind. */
export const failuresOf = ({ failures }: Pick<Contract, 'failures'>): readonly string[] =>
  Object.entries(failures).map(([code, { effect }]) => `${code}: ${effect}`)

/** What a mail that was sent answers. */
export function sent(answer: unknown): SentOut {
  if (typeof answer === 'object' && answer !== null && 'emailId' in answer) return answer as SentOut
  throw new Error(`expected a mail, got ${JSON.stringify(answer)}`)
}
