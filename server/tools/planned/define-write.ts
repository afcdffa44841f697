// The short way to declare a tool. Preview, basis and run of a write mostly load one record and work out one change, so all of
// them come from one function, `plan`: the card shows what it answers, the apply asks it again and stops where the answer has
// become another one, and `apply` is given that answer and nothing else to go by. ADR 93.
import type {
  Failures,
  FailureSpec,
  ReadContract,
  RunContext,
  SideEffect,
  ToolContext,
  ToolFailed,
  ToolStale,
  WriteContract,
} from '../contract.ts'
import { fixes } from '../contract.schema.ts'
import { ContractError, defineTool } from '../define-tool.ts'
import { firstSentence, nounFrom, titleFrom } from './derived-words.ts'
import { wireNameOf } from '../names.ts'
import { notedPlan } from './noted-plan.ts'
import { plannedParts } from './planned-parts.ts'
import { settingBack, successOf, type BothSides, type Planned } from './planned.ts'
import type { RecordFields } from './record-changes.ts'
import { onBothSides, writtenSchema } from './written.ts'
import type { CardContext, OfferedCall } from '../shown-on-cards.ts'
import { parseWith, type ToolSchema } from '../schemas/tool-schema.ts'

/** How a call can fail: a text is the guidance of a failure that leaves nothing behind. */
export type FailureList = Readonly<Record<string, string | FailureSpec>>

/** A list that is not given. */
// oxlint-disable-next-line typescript/no-generated-empty-object-type -- it has no member on purpose: `ctx.fail` takes no code.
export type NoFailures = Readonly<Record<never, string>>

/** The failures of a contract whose list was given so. */
export type FailuresOf<F extends FailureList> = { readonly [Name in keyof F]: FailureSpec }

/** The failures of a planned write; with `unchanged` a call ends that would change nothing. */
export type WriteFailuresOf<F extends FailureList> = FailuresOf<F> & { readonly unchanged: FailureSpec }

/** What an `apply` without an output may return: nothing, or the whole record with what was made new in it. */
export type Applied<P extends Planned> =
  | void
  | undefined
  | { readonly [Name in keyof NonNullable<P['after']>]: unknown }
  | ToolFailed
  | ToolStale

/** Of what `apply` returned the record; that of the plan where it returned none. */
export type RecordOf<P extends Planned, R> = [Exclude<Awaited<R>, void | undefined | ToolFailed | ToolStale>] extends [
  never,
]
  ? NonNullable<P['after']>
  : Exclude<Awaited<R>, void | undefined | ToolFailed | ToolStale>

/** What a tool answers that declares no output: the record as it was, and as it was written. */
export interface Written<P extends Planned, R = undefined> {
  /** The record as it was. */
  readonly before?: NonNullable<P['before']>
  /** The record as it is now. */
  readonly after?: RecordOf<P, R>
}

/** The fields of a write that is planned; those of a contract that are not among them follow from the others. */
export interface PlannedWrite<I, P extends Planned, O, R, F extends FailureList> extends Omit<
  WriteContract<I, O, WriteFailuresOf<F>>,
  | 'title'
  | 'noun'
  | 'operation'
  | 'idempotency'
  | 'sideEffects'
  | 'failures'
  | 'output'
  | 'preview'
  | 'basis'
  | 'run'
  | 'undo'
  // Its derived words are in English.
  | 'languages'
> {
  /** From the name when absent: "issues.close" is "Close issue". It is also the text of the button. */
  readonly title?: string
  /** From the name when absent: "the issue". */
  readonly noun?: string
  /** `destructive` when absent. `write` only for what adds and overwrites nothing. */
  readonly operation?: 'write' | 'destructive'
  /** `plan` when absent. */
  readonly idempotency?: 'natural' | 'plan'
  /** The first sentence of the description when absent. */
  readonly sideEffects?: readonly (string | SideEffect)[]
  /** Every way in which it can fail, by code; one may be its guidance alone. */
  readonly failures?: F
  /** Of what `apply` returns. When absent it returns nothing, and the answer is the record before and after. */
  readonly output?: ToolSchema<O>
  /** Where there is no `output`: the schema of the record, which agents are then listed. */
  readonly record?: ToolSchema
  /** How members of the record are called and shown, where that does not follow from their names and values. */
  readonly fields?: RecordFields
  /** By what people know the record, where that is not its id, its name or its title: it stands in titles. */
  readonly subject?: (record: NonNullable<P['before'] | P['after']>) => string
  /**
   * Reads the state and says what would change; changes nothing. It is asked for the preview and again before `apply`, so it
   * answers the same of the same state: what is made anew (ids, times) belongs in `apply`. Where the tool is `transactional`, it
   * reads through `ctx.transaction` while that is there.
   */
  readonly plan: (
    input: I,
    ctx: ToolContext<Extract<keyof F, string>> & Pick<RunContext, 'transaction'>,
  ) => Promise<P | ToolFailed> | P | ToolFailed
  /** Makes the change that was planned. It is called only while the plan still says what the person has signed. */
  readonly apply: (planned: P & { readonly input: I }, ctx: RunContext<Extract<keyof F, string>>) => R
  /**
   * The call that takes it back. When absent it is the same tool with what was there before, where the arguments are called like
   * the members that they set; `false`: there is none.
   */
  readonly undo?:
    | false
    | ((
        done: { readonly input: I; readonly result: O },
        ctx: CardContext,
      ) => (Omit<OfferedCall, 'label'> & { readonly label?: string }) | undefined)
}

/** Any planned write, for everything that treats them alike. */
export type AnyWrite = PlannedWrite<unknown, Planned, unknown, unknown, FailureList>

const unchanged: FailureSpec = { effect: 'none', guidance: 'It already is as asked: there is nothing to do.' }

/**
 * Declares a write by what it would change. The contract is one of `defineTool`, with all that follows from the plan.
 * @throws {ContractError} naming the field and the fix.
 */
export function defineWrite<I, P extends Planned, O, const F extends FailureList = NoFailures>(
  write: PlannedWrite<I, P, O, Promise<O | ToolFailed | ToolStale> | O | ToolFailed | ToolStale, F> & {
    readonly output: ToolSchema<O>
    readonly record?: never
  },
): WriteContract<I, O, WriteFailuresOf<F>>
/**
 * Declares a write whose answer is the record before and after.
 * @throws {ContractError} naming the field and the fix.
 */
export function defineWrite<
  I,
  P extends Planned,
  const F extends FailureList = NoFailures,
  R extends Applied<P> | Promise<Applied<P>> = undefined,
>(
  write: PlannedWrite<I, P, Written<P, R>, R, F> & { readonly output?: undefined },
): WriteContract<I, Written<P, R>, WriteFailuresOf<F>>
export function defineWrite(given: object): unknown {
  const write = given as AnyWrite
  checkParts(write)
  const { plan: _, apply: __, record: ___, undo: ____, fields, subject, failures, sideEffects, ...contract } = write
  const {
    name,
    description,
    idempotency = 'plan',
    output = writtenSchema(write, marked(write)),
    cards,
    secrets,
  } = contract
  const isDerived = write.output === undefined
  const hidden = marked(write)
  const words = {
    title: write.title ?? titleFrom(name),
    noun: write.noun ?? nounFrom(name),
    fields: fields ?? {},
    hidden,
    subject,
  }
  const all = { unchanged, ...specsOf(failures) }
  return defineTool<unknown, unknown, Failures>({
    ...contract,
    title: words.title,
    noun: words.noun,
    operation: write.operation ?? 'destructive',
    idempotency,
    output,
    failures: all,
    sideEffects: (sideEffects ?? [firstSentence(description)]).map((each) => sideEffectOf(each, idempotency)),
    cards: cards ?? (isDerived ? { success: (input, sides) => successOf(words, input, sides as BothSides) } : {}),
    ...(isDerived && hidden.length > 0
      ? { secrets: { ...secrets, result: [...(secrets?.result ?? []), ...onBothSides(hidden)] } }
      : {}),
    ...undoOf(write),
    ...plannedParts({ ...write, plan: notedPlan(write, hidden) }, words, Object.keys(all)),
  })
}

/** Fields of a read whose title and risk follow from the others, where they are absent. */
export type ShortRead<I, O, F extends FailureList> = Omit<
  ReadContract<I, O, FailuresOf<F>>,
  'operation' | 'title' | 'risk' | 'failures'
> & {
  readonly title?: string
  /** `low` when absent. */
  readonly risk?: ReadContract<I>['risk']
  readonly failures?: F
}

/**
 * Declares a read, with a title that follows from its name and low risk where it says neither.
 * @throws {ContractError} naming the field and the fix.
 */
export function defineRead<I, O, const F extends FailureList = NoFailures>({
  failures,
  ...read
}: ShortRead<I, O, F>): ReadContract<I, O, FailuresOf<F>> {
  const contract = { title: titleFrom(read.name), risk: 'low', ...read, operation: 'read', failures: specsOf(failures) }
  return defineTool(contract as unknown as ReadContract<I, O, FailuresOf<F>>)
}

const specsOf = (failures: FailureList = {}): Failures =>
  Object.fromEntries(
    Object.entries(failures).map(([code, said]) => [
      code,
      typeof said === 'string' ? { effect: 'none', guidance: said } : said,
    ]),
  )

const sideEffectOf = (said: string | SideEffect, idempotency: WriteContract['idempotency']): SideEffect =>
  typeof said === 'string'
    ? {
        what: said,
        onRepeat:
          idempotency === 'natural'
            ? 'Nothing more.'
            : 'What was confirmed happens once; the same call again is a new preview.',
      }
    : said

/** The arguments that are secrets, and so the members of these names. What is no list is refused with the contract. */
const marked = ({ secrets }: AnyWrite): readonly string[] =>
  (Array.isArray(secrets?.arguments) ? (secrets.arguments as readonly unknown[]) : []).filter(
    (pointer) => typeof pointer === 'string',
  )

/** `defineTool` would complain of parts that nobody wrote. */
function checkParts(write: AnyWrite): void {
  const given: unknown = write
  if (typeof given !== 'object' || given === null)
    throw new ContractError('', 'contract', 'is not an object', 'Call defineWrite with an object.')
  const refuse = (field: string, problem: string, fix: string): never => {
    throw new ContractError(typeof write.name === 'string' ? write.name : '', field, problem, fix)
  }
  if (typeof write.name !== 'string') refuse('name', 'is missing', fixes.name)
  if (typeof write.description !== 'string') refuse('description', 'is missing', fixes.description)
  for (const part of ['plan', 'apply'] as const)
    if (typeof write[part] !== 'function') refuse(part, 'is not a function', partFixes[part])
  for (const part of ['preview', 'basis', 'run'])
    if (part in write) refuse(part, 'follows from plan and apply', 'Leave it out, or declare the tool with defineTool.')
  if ('languages' in write)
    refuse('languages', 'stands beside words that are derived in English', 'Declare the tool with defineTool.')
  if (write.record !== undefined && write.output !== undefined)
    refuse('record', 'stands beside output', 'Keep one: `record` where the answer is the record before and after.')
}

const partFixes = {
  plan: 'Give a function that answers { before, after, effects }: the record as it is, and as it would be.',
  apply: 'Give a function that makes the change: apply({ before, after, input }, ctx).',
} as const

/** A call that takes it back: as the tool says it, or the same one with what was there before. */
function undoOf(write: AnyWrite): Pick<WriteContract, 'undo'> {
  const { name, wire, input: schema, output, undo } = write
  if (undo === false) return {}
  if (undo !== undefined)
    return {
      undo: (input, result, ctx) => {
        const call = undo({ input, result }, ctx)
        return call === undefined ? undefined : { label: 'Undo', ...call }
      },
    }
  // An argument that is a secret has an old value that is one, and the offer would write it into the chat.
  if (output !== undefined || marked(write).length > 0) return {}
  return {
    undo: (input, result) => {
      const call = settingBack(
        wire ?? wireNameOf(name),
        input as Readonly<Record<string, unknown>>,
        result as BothSides,
      )
      // What was there before may be nothing that an argument can say.
      return call !== undefined && parseWith(schema, 'input', call.arguments).success ? call : undefined
    },
  }
}

/** The record with these members in place of its own; those that are `undefined` stay as they are. */
export const patched = <R extends object>(
  record: R,
  members: { readonly [Name in keyof R]?: R[Name] | undefined },
): R => ({
  ...record,
  ...Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)),
})
