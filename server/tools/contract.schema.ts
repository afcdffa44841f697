// The Zod schemas of contracts, for authors without a compiler: a misspelt field (`basiss`) would otherwise switch off a
// protection without a word. Each list of fields is checked against its type, so that no new field is forgotten.
import { z } from 'zod'
import type { Revisable } from './card-edits.ts'
import type { CardList } from './card-reads.ts'
import type { Common, FailureSpec, ReadContract, RiskRule, SideEffect, WriteContract } from './contract.ts'
import { cardLanguages } from '../cards/card-words.ts'
import { risks } from '../model/risk.ts'
import { schemaProblem } from './schemas/tool-schema.ts'

/** One schema for each field of a type, optional ones too. */
type Fields<T> = { readonly [Field in keyof Required<T>]: z.ZodType }

const text = z.string().refine((said) => said.trim() !== '', 'is empty')
const json = z.record(z.string(), z.unknown())

/** The kind of a function: "AsyncFunction", "GeneratorFunction". */
const kindOf = (value: unknown): string => Object.prototype.toString.call(value).slice('[object '.length, -1)

const callable = (refused: readonly string[]) =>
  z.custom<unknown>().superRefine((value, ctx) => {
    if (typeof value !== 'function') ctx.addIssue('is not a function')
    else if (kindOf(value).endsWith('GeneratorFunction'))
      ctx.addIssue('is a generator, which does nothing until somebody asks for its values')
    else if (refused.includes(kindOf(value))) ctx.addIssue('is async, and nobody waits for its answer')
  })

/** A function that may be async. */
const work = callable([])
/** A function that must not be async. */
const rule = callable(['AsyncFunction'])

const schema = z.custom<unknown>().superRefine((value, ctx) => {
  const wrong = schemaProblem(value)
  if (wrong !== undefined) ctx.addIssue({ code: 'custom', message: wrong.problem, params: { fix: wrong.fix } })
})

const riskRule = { atMost: z.enum(risks), of: rule } satisfies Fields<RiskRule<unknown>>
const autonomy = { when: rule }
/** May ask the state. */
const stepUp = { when: work }
const reading = {
  when: rule,
  contract: z.custom<ReadContract>(
    (value) => typeof value === 'object' && value !== null && 'operation' in value && value.operation === 'read',
    'is not the contract of a read',
  ),
} satisfies Fields<NonNullable<WriteContract['reading']>>
const sideEffect = { what: text, onRepeat: text } satisfies Fields<SideEffect>
const failure = {
  effect: z.enum(['none', 'partial', 'unknown']),
  guidance: text,
  says: z.record(z.string(), text).optional(),
  retryable: z.enum(['no', 'after_change', 'after_wait']).optional(),
  retryAfterSeconds: z.number().nonnegative().optional(),
  reported: z.literal(true).optional(),
  refused: z.literal(true).optional(),
} satisfies Fields<FailureSpec>
const secrets = { arguments: z.array(text).optional(), result: z.array(text).optional() } satisfies Fields<
  NonNullable<ReadContract['secrets']>
>
const budget = { unit: text, limit: z.number().nonnegative(), consumed: rule } satisfies Fields<
  NonNullable<ReadContract['budget']>
>
const listed = {
  meta: json.optional(),
  icons: z.array(json).optional(),
  execution: json.optional(),
} satisfies Fields<NonNullable<ReadContract['listed']>>
const dryRun = { parameter: text, value: z.unknown() } satisfies Fields<NonNullable<WriteContract['dryRun']>>
const promises = { schema: json, holds: rule } satisfies Fields<NonNullable<ReadContract['promises']>>
const readCards = { result: rule.optional() } satisfies Fields<NonNullable<ReadContract['cards']>>
const cardList = { page: work, open: work.optional() } satisfies Fields<CardList>
const place = z.string().regex(/^(?:\/[^/]+)+$/, 'is not a place like "/lines/*/quantity"')
const revisable = {
  at: place,
  label: z.union([text, z.record(z.string(), text)]).optional(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'is not a currency like "EUR"')
    .optional(),
} satisfies Fields<Exclude<Revisable, string>>
const writeCards = { success: rule.optional() } satisfies Fields<NonNullable<WriteContract['cards']>>

const common = {
  name: text,
  wire: text.optional(),
  pinned: text.optional(),
  ui: json.optional(),
  passes: z.literal(true).optional(),
  sparing: z.boolean().optional(),
  onlyAnswers: z.literal(true).optional(),
  listed: z.strictObject(listed).optional(),
  prepare: work.optional(),
  reported: work.optional(),
  promises: z.strictObject(promises).optional(),
  rationale: z.literal('optional').optional(),
  secrets: z.strictObject(secrets).optional(),
  title: text,
  description: text,
  category: text.optional(),
  risk: z.union([z.enum(risks), z.strictObject(riskRule)]),
  permissions: z.array(text).optional(),
  external: z.boolean().optional(),
  cheatsheet: text.optional(),
  languages: z.array(z.enum(cardLanguages)).min(1, 'is empty').optional(),
  auditEvent: text.optional(),
  budget: z.strictObject(budget).optional(),
  output: schema,
  failures: z.record(z.string(), z.strictObject(failure)),
} satisfies Fields<Common>

/** Every field of a read. */
export const readFields = {
  ...common,
  operation: z.literal('read'),
  input: schema,
  run: work,
  cards: z.strictObject(readCards).optional(),
} satisfies Fields<ReadContract>

/** Every field of a write. */
export const writeFields = {
  ...common,
  operation: z.enum(['write', 'destructive']),
  noun: text,
  input: schema,
  autonomous: z.union([z.boolean(), z.strictObject(autonomy)]).optional(),
  sideEffects: z.array(z.strictObject(sideEffect)).min(1, 'is empty'),
  idempotency: z.enum(['natural', 'plan']),
  transactional: z.boolean().optional(),
  cancellable: z.literal(true).optional(),
  dryRunRequired: z.boolean().optional(),
  dryRun: z.strictObject(dryRun).optional(),
  confirmation: z.enum(['click', 'type-name']).optional(),
  stepUp: z.union([z.enum(['never', 'always']), z.strictObject(stepUp)]).optional(),
  preview: work,
  basis: work.optional(),
  run: work,
  reconcile: work.optional(),
  revise: z
    .union([z.literal(true), z.array(z.union([place, z.strictObject(revisable)])).min(1, 'is empty')])
    .optional(),
  undo: rule.optional(),
  rest: rule.optional(),
  lists: z.record(text, z.strictObject(cardList)).optional(),
  follow: work.optional(),
  reading: z.strictObject(reading).optional(),
  cards: z.strictObject(writeCards).optional(),
} satisfies Fields<WriteContract>

/** The fields inside of a field, by its name; `failures`, `sideEffects`, `lists` and `revise` hold many of the same form. */
export const innerFields = (field: string, read: boolean): readonly string[] =>
  Object.keys(
    {
      risk: riskRule,
      stepUp,
      autonomous: autonomy,
      reading,
      sideEffects: sideEffect,
      failures: failure,
      secrets,
      budget,
      listed,
      promises,
      dryRun,
      lists: cardList,
      revise: revisable,
    }[field] ?? (field === 'cards' ? (read ? readCards : writeCards) : {}),
  )

/** What to write for each field: the second half of every error message. */
export const fixes: Readonly<Record<keyof typeof readFields | keyof typeof writeFields, string>> = {
  name: 'Write it like "orders.create", at most 60 characters.',
  wire: 'An MCP tool name has letters, digits, _ . / : and -, at most 128.',
  pinned: 'Give the digest of the pinned definition, or leave it out.',
  ui: 'Give the object that the listing has under _meta.ui, or leave it out.',
  passes: 'Use true, or leave it out.',
  sparing: 'Use true or false, or leave it out.',
  onlyAnswers: 'Use true, or leave it out.',
  listed: 'Give { meta, icons, execution }, or leave it out.',
  prepare: 'Give a function that loads what a call is read with, or leave it out.',
  reported: 'Give a function that says what an answer reports as an error, or leave it out.',
  promises: 'Give { schema, holds(structured) }, or leave it out.',
  rationale: 'Use "optional", or leave it out.',
  secrets: 'Give { arguments, result } with JSON Pointers: ["/card/number"], or leave it out.',
  title: 'Say in one sentence what the tool does.',
  description: 'Say in one sentence what the tool does.',
  category: 'Give the name of a group: "orders", or leave it out.',
  risk: 'Use one of low, medium, high, critical, forbidden, or { atMost, of(input) }.',
  permissions: 'Give a list of names: ["orders:write"], or leave it out.',
  external: 'Use true or false, or leave it out.',
  languages: 'Give subtags like ["en", "de"], the language of the tool first, or leave it out.',
  cheatsheet: 'Give the name of a cheatsheet, or leave it out.',
  auditEvent: 'Give the name of an event, or leave it out.',
  budget: 'Give { unit, limit, consumed(input, output) }, or leave it out.',
  output: 'Give the schema of what run returns: z.strictObject({…}) of Zod 4, or a JSON Schema.',
  failures: 'List every way in which the write can fail, with its effect; a read may have none: {}.',
  operation: 'Use read, write or destructive.',
  input: 'Use z.strictObject({…}) of Zod 4 with JSON types, or a JSON Schema: dates as ISO strings.',
  run: 'Give a function: of a read it answers the call, of a write it makes the change that was confirmed.',
  cards: 'Give { result(input, output) } for a read, { success(input, output) } for a write, or leave it out.',
  noun: 'Name the thing as a phrase: "the sales order".',
  autonomous: 'Use true or false, or { when(input) }, or leave it out.',
  sideEffects: 'List what the tool changes and what a repeat does: [{ what, onRepeat }].',
  idempotency: 'Use natural (a repeat changes nothing more) or plan (it runs once per plan).',
  cancellable: 'Use true where run looks at ctx.cancelled, or leave it out.',
  transactional: 'Use true or false, or leave it out.',
  dryRunRequired: 'Use true or false, or leave it out.',
  dryRun: 'Give { parameter, value }, or leave it out.',
  confirmation: 'Use click or type-name, or leave it out.',
  stepUp: 'Use never, always or { when(input) }, or leave it out.',
  preview: 'Give a function that answers what would change.',
  basis: 'Give a function that returns a fingerprint (version, etag) of what the preview read.',
  reconcile: 'Give a function that finds out what became of a run, or leave it out.',
  revise:
    'Use true, or give places of the input: ["/lines/*/quantity", { at: "/budget", currency: "EUR" }], or leave it out.',
  undo: 'Give a function that returns the call that undoes it, or leave it out.',
  rest: 'Give a function that returns a call for what was left undone, or leave it out.',
  lists: 'Give { recipients: { page(input, ctx, at), open(input, ctx, key) } }, or leave it out.',
  follow: 'Give a function that says how what was begun goes on, or leave it out.',
  reading: 'Give { when(input), contract } with the contract of a read, or leave it out.',
}
