// What the tests of the engine share: a real store in memory, a clock that only they move, and a small notebook whose
// tool writes down every time it really ran, which is the one number that everything here is about.
import { randomBytes } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { call } from '../../../server/rail/call.ts'
import type { PlanStore } from '../../../server/model/plan-store.ts'
import type { Answer } from '../../../server/rail/answers/outcome.ts'
import { callPlanTool, type PlanToolName } from '../../../server/rail/apply/plan-tools.ts'
import { defaultSettings, type Caller, type Engine, type EngineSettings } from '../../../server/rail/engine.ts'
import type { CardAction } from '../../../server/model/card.ts'
import { parseApply } from '../../../server/confirm/message.ts'
import { openStore, type Store } from '../../../server/store/store.ts'
import { beginning } from '../../kit/blank-database.ts'
import { caller, requestOf } from '../../kit/calls.ts'
import { createClock } from '../../kit/clock.ts'
import { locate, testSecret } from '../../postgres.ts'
import { createCatalog } from '../../../server/tools/catalog.ts'
import type { Contract, Preview, WriteContract } from '../../../server/tools/contract.ts'
import { defineTool } from '../../../server/tools/define-tool.ts'

export const why = 'The person asked for this note.'

/** A store in memory on the clock of the test; closes with its test. */
export const openMemory = async (now: () => number): Promise<Store> => {
  const file = await locate(':memory:')
  const opened = await openStore({ file, now, secret: testSecret, ...(await beginning(file)) })
  if (!opened.ok) throw new Error(opened.failure.message)
  onTestFinished(() => opened.value.close())
  return opened.value
}

export interface EngineParts {
  readonly tools: readonly Contract[]
  readonly ledger: PlanStore
  readonly now: () => number
  readonly owner?: string
  readonly settings?: Partial<EngineSettings>
  readonly missingPermissions?: Engine['missingPermissions']
  readonly observer?: Engine['observer']
}

/** An engine and the unexpected errors that it reported. */
export const createEngine = (parts: EngineParts): Engine & { readonly reports: string[] } => {
  const reports: string[] = []
  return {
    catalog: createCatalog(parts.tools, parts.settings?.confirmation),
    plans: parts.ledger,
    settings: { ...defaultSettings, ...parts.settings },
    owner: parts.owner ?? 'process one',
    random: randomBytes,
    now: parts.now,
    missingPermissions: parts.missingPermissions ?? (() => []),
    ...(parts.observer === undefined ? {} : { observer: parts.observer }),
    report: (error, where) => {
      reports.push(`${where}: ${error instanceof Error ? error.message : String(error)}`)
      return `in_${reports.length}`
    },
    reports,
  }
}

/** Everything that most tests need, joined. */
export type Stage = Awaited<ReturnType<typeof createStage>>

export const createStage = async (
  tools: readonly Contract[],
  more: Partial<Pick<EngineParts, 'settings' | 'missingPermissions' | 'observer'>> & {
    wrap?: (ledger: PlanStore) => PlanStore
  } = {},
) => {
  const clock = createClock()
  const store = await openMemory(clock.now)
  const { wrap = (ledger) => ledger, ...rest } = more
  const engine = createEngine({ tools, ledger: wrap(store.plans), now: clock.now, ...rest })
  const send = (tool: string, args: unknown, as: Caller = caller()): Promise<Answer> =>
    call(engine, requestOf(tool, args, as))
  return {
    engine,
    store,
    clock,
    /** Calls a tool as `ada`, with a rationale of its own. */
    ask: (tool: string, args: object = {}, as?: Caller) => send(tool, { rationale: why, ...args }, as),
    /** Calls a tool with these arguments and not a word more. */
    send,
    /** Calls exactly what an Apply or Preview message says. */
    repeat: (message: string, as?: Caller) => {
      const parsed = parseApply(message)
      if (!parsed.ok || parsed.value.kind !== 'apply') throw new Error(`not an Apply message: ${message}`)
      return send(parsed.value.tool, parsed.value.args, as)
    },
    /** The card's own line to the server. */
    press: (name: PlanToolName, answer: Answer, as = caller()) =>
      callPlanTool(engine, as, name, { ticket: ticketOf(answer) }),
  }
}

const action = (answer: Answer, role: CardAction['role']): CardAction | undefined =>
  answer.card?.actions.find((candidate) => candidate.role === role)

const messageOf = (found: CardAction | undefined): string | undefined =>
  found?.steps.flatMap((step) => (step.do === 'SendMessage' ? [step.text] : []))[0]

/** The Apply message on a preview's card, or nothing where it has no Confirm. */
export const applyMessage = (answer: Answer): string | undefined => messageOf(action(answer, 'confirm'))

/** The Apply message of a preview that must have one. */
export const confirmed = (answer: Answer): string => {
  const text = applyMessage(answer)
  if (text === undefined) throw new Error(`no Confirm on the card of "${answer.outcome}": ${answer.text}`)
  return text
}

/** The message behind "Preview again" or Undo. */
export const previewAgainMessage = (answer: Answer): string | undefined => messageOf(action(answer, 'other'))

export const ticketOf = (answer: Answer): string => answer.card?.plan?.ticket ?? 'no ticket'

export const noteInput = z.strictObject({ text: z.string().max(100_000), times: z.number().int().min(1).default(1) })
export const noteOutput = z.strictObject({ id: z.string(), text: z.string() })

export type NoteInput = z.infer<typeof noteInput>
export type NoteOutput = z.infer<typeof noteOutput>
export type NoteContract = WriteContract<NoteInput, NoteOutput>

export const notePreview = (input: NoteInput): Preview => ({
  title: `Write note ${input.text.slice(0, 40)}`,
  summary: 'Writes one note.',
  changes: [{ pointer: '/text', label: 'Text', before: { kind: 'unset' }, after: { kind: 'text', text: input.text } }],
  confirmLabel: 'Write note',
})

/** What was really written, each note with the key of the plan that did it. */
export type Book = { readonly key: string; readonly text: string }[]

/** `notes.write`: medium, additive. */
export const noteTool = (book: Book, change: Partial<NoteContract> = {}): Contract =>
  defineTool<NoteInput, NoteOutput, NoteContract['failures']>({
    name: 'notes.write',
    title: 'Write a note',
    description: 'Writes a note into the book.',
    operation: 'write',
    noun: 'the note',
    risk: 'medium',
    idempotency: 'plan',
    sideEffects: [{ what: 'One more note.', onRepeat: 'A second note is written.' }],
    failures: {
      book_full: { effect: 'none', guidance: 'Take another book.' },
      ink_ran_out: { effect: 'partial', guidance: 'Look how far it came.' },
    },
    input: noteInput,
    output: noteOutput,
    preview: notePreview,
    run: (input, ctx) => {
      book.push({ key: ctx.idempotencyKey, text: input.text })
      return { id: `N-${book.length}`, text: input.text }
    },
    ...change,
  })

/** A stage with one `notes.write`, and its book. */
export const openBook = async (
  change: Partial<NoteContract> = {},
  more: Parameters<typeof createStage>[1] = {},
): Promise<{ stage: Stage; book: Book }> => {
  const book: Book = []
  return { stage: await createStage([noteTool(book, change)], more), book }
}

/** Previews one note and applies it. */
export const applyNote = async (stage: Stage): Promise<Answer> =>
  stage.repeat(confirmed(await stage.ask('notes_write', { text: 'x' })))

/** What no answer may say where something may have been changed. */
export const nothingChanged = /nothing was (?:changed|run)/i

/** Everything of an answer that a person may read. */
export const everythingShown = (answer: Answer): string =>
  `${answer.text}\n${JSON.stringify(answer.card)}\n${JSON.stringify(answer.guidance)}`

/** A part of a tool that throws what no answer may tell. */
export const throwDiskError = (): never => {
  throw new Error('the disk is gone')
}
