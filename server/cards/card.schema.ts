// The Zod schema of the card document: every card is parsed before it leaves the server, so that an author's mistake is an
// error with a path and not an empty iframe. `test/types` proves it equal to `model/card.ts`.
import { z } from 'zod'
import { cardEditsSchema, cardValueSchema, list, text } from './card-value.schema.ts'
import { cardLimits as most } from './limits.ts'
import { pictureFacts } from './picture-facts.ts'
import { risks } from '../model/risk.ts'

/** An address that a host may open: no `javascript:` and the like. */
const webUrl = z.string().regex(/^https?:\/\//i, 'must be an http or https address')

const labelled = z.strictObject({ label: z.string(), value: cardValueSchema })
const facts = list(labelled, most.fields)
const spans = list(
  z.strictObject({
    from: z.int().nonnegative(),
    to: z.int().positive(),
    as: z.enum(['keyword', 'string', 'number', 'comment', 'name', 'danger', 'heading', 'strong', 'emphasis', 'code']),
  }),
  most.spans,
).exactOptional()

/** Whether spans stand in their order inside of a text, none over another. */
const spansFit = ({
  text: shown = '',
  spans: given = [],
}: {
  readonly text?: string
  readonly spans?: readonly { readonly from: number; readonly to: number }[]
}): boolean => given.every(({ from, to }, at) => from >= (given[at - 1]?.to ?? 0) && from < to && to <= shown.length)
const spansOf = { path: ['spans'], message: 'must stand in their order inside of the text, none over another' }

const columns = list(
  z.strictObject({ label: z.string(), align: z.enum(['start', 'end']).exactOptional() }),
  most.columns,
)
const count = z.int().nonnegative()

export const cardChangeSchema = z.strictObject({
  pointer: z.string(),
  label: z.string(),
  before: cardValueSchema,
  after: cardValueSchema,
  saw: cardValueSchema.exactOptional(),
})
const changes = list(cardChangeSchema, most.changes)

/** A name of a contract's list, the key of one of its rows, or the place where a page begins. */
export const listPart = z.string().min(1).max(most.listPart)

export const cardPageRowsSchema = list(
  z.strictObject({ key: listPart, cells: z.array(cardValueSchema).max(most.columns) }),
  most.pageRows,
).superRefine((rows, ctx) => {
  const keys = new Set<string>()
  for (const [at, { key }] of rows.entries())
    if (keys.size === keys.add(key).size) ctx.addIssue({ code: 'custom', path: [at, 'key'], message: 'is there twice' })
})

const recordSchema = z.strictObject({
  change: z.enum(['added', 'changed', 'removed']),
  label: z.string(),
  id: z.string().exactOptional(),
  fields: facts.exactOptional(),
  changes: changes.exactOptional(),
})

/** One kind of block. Each may have a `fallback` for views that do not know the kind. */
const block = <const Kind extends string, const Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) =>
  z.strictObject({ kind: z.literal(kind), ...shape, fallback: z.string().exactOptional() })

const details = {
  summary: z.string(),
  fields: facts,
  text: z.string().max(most.text).exactOptional(),
  spans,
  applied: z.boolean().exactOptional(),
}

/** What may stand inside of another block. */
const plainBlocks = [
  block('text', { text }),
  block('effects', { effects: list(text, most.effects) }),
  block('fields', { fields: facts }),
  block('diff', {
    changes,
    unchanged: facts.exactOptional(),
    records: list(recordSchema, most.records).exactOptional(),
    unchangedRecords: count.exactOptional(),
  }),
  block('lines', {
    columns,
    itemLabel: z.string(),
    items: list(
      z.strictObject({ id: z.string().exactOptional(), label: z.string(), cells: z.array(cardValueSchema) }),
      most.rows,
    ),
    totals: facts.exactOptional(),
  }).superRefine((block, ctx) => {
    for (const [at, { cells }] of block.items.entries())
      if (cells.length > block.columns.length)
        ctx.addIssue({ code: 'custom', path: ['items', at, 'cells'], message: 'has more cells than columns' })
  }),
  block('table', {
    label: z.string(),
    columns: columns.min(1),
    rows: list(z.array(cardValueSchema), most.rows),
    totals: facts.exactOptional(),
  }).superRefine((block, ctx) => {
    for (const [at, cells] of block.rows.entries())
      if (cells.length !== block.columns.length)
        ctx.addIssue({ code: 'custom', path: ['rows', at], message: 'must have one cell for each column' })
  }),
  block('pages', {
    list: listPart,
    label: z.string(),
    total: count,
    columns: columns.min(1),
    rows: cardPageRowsSchema,
    next: listPart.exactOptional(),
    opens: z.literal(true).exactOptional(),
    rest: text.exactOptional(),
  }).superRefine((block, ctx) => {
    for (const [at, { cells }] of block.rows.entries())
      if (cells.length !== block.columns.length)
        ctx.addIssue({ code: 'custom', path: ['rows', at, 'cells'], message: 'must have one cell for each column' })
    if (block.rows.length > block.total)
      ctx.addIssue({ code: 'custom', path: ['total'], message: 'is smaller than the number of rows' })
  }),
  block('people', {
    label: z.string(),
    count,
    sample: list(
      z.strictObject({ name: z.string(), address: z.string().exactOptional(), isNew: z.boolean().exactOptional() }),
      most.sample,
    ),
    domains: list(z.strictObject({ name: z.string(), count }), most.domains).exactOptional(),
    newCount: count.exactOptional(),
  }).refine((block) => block.sample.length <= block.count && (block.newCount ?? 0) <= block.count, {
    path: ['count'],
    message: 'is smaller than the sample or the number of new people',
  }),
  block('steps', {
    steps: list(
      z.strictObject({
        label: z.string(),
        state: z.enum(['planned', 'applied', 'verified', 'failed', 'not-run', 'unknown']),
        note: text.exactOptional(),
      }),
      most.steps,
    ),
  }),
  block('progress', {
    label: z.string(),
    done: count,
    total: count,
    marks: list(z.number().min(0).max(100), most.metrics).exactOptional(),
  }).refine((block) => block.done <= block.total, {
    path: ['done'],
    message: 'is more than the total',
  }),
  block('metrics', {
    metrics: list(
      z.strictObject({ label: z.string(), value: cardValueSchema, before: cardValueSchema.exactOptional() }),
      most.metrics,
    ),
  }),
  block('alert', {
    severity: z.enum(['info', 'warning', 'danger', 'block']),
    title: z.string(),
    text: text.exactOptional(),
  }),
  block('code', {
    text: z.string().max(most.code),
    language: z.string().exactOptional(),
    label: z.string().exactOptional(),
    spans,
  }).refine(spansFit, spansOf),
  block('picture', {
    label: text,
    alt: text.min(1),
    data: z.string().max(most.picture),
    width: z.int().positive().max(most.pictureSide),
    height: z.int().positive().max(most.pictureSide),
  }).superRefine((block, ctx) => {
    const facts = pictureFacts(block.data)
    if (facts === undefined)
      ctx.addIssue({
        code: 'custom',
        path: ['data'],
        message: 'must be a data: address of a PNG, a JPEG or a WebP, by its bytes, that does not move',
      })
    else if (facts.width !== block.width || facts.height !== block.height)
      ctx.addIssue({
        code: 'custom',
        path: ['width'],
        message: `must be ${facts.width} by ${facts.height}, as its bytes are`,
      })
  }),
  block('links', { links: list(z.strictObject({ label: z.string(), url: webUrl }), most.links) }),
] as const

export const cardBlockSchema = z.discriminatedUnion('kind', [
  ...plainBlocks,
  block('details', {
    ...details,
    blocks: list(
      z.discriminatedUnion('kind', [...plainBlocks, block('details', details).refine(spansFit, spansOf)]),
      most.blocks,
    ).exactOptional(),
  }).refine(spansFit, spansOf),
])

/** These blocks and those inside of them. */
const withInner = (blocks: readonly z.infer<typeof cardBlockSchema>[]): readonly { readonly kind: string }[] =>
  blocks.flatMap((each) => (each.kind === 'details' ? [each, ...(each.blocks ?? [])] : [each]))

const stateSchema = z.enum([
  'ready',
  'pending',
  'sent',
  'cancelled',
  'expired',
  'superseded',
  'stale',
  'applying',
  'applied',
  'partial',
  'failed',
  'unknown',
  'refused',
  'blocked',
  'info',
])

/** A message that a button sends in the person's name. The rail checks its whole grammar. */
const message = z
  .string()
  .regex(
    /^(Apply|Preview): call [\w./:-]+\(.*\)$|^Cancel: do not apply .+ \(pl_[0-9a-z]+\)\.$/,
    'must be an Apply, a Preview or a Cancel message on one line',
  )

const stepSchema = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('SetState'), state: stateSchema }),
  z.strictObject({ do: z.literal('SendMessage'), text: message }),
  z.strictObject({ do: z.literal('OpenLink'), url: webUrl }),
  z.strictObject({ do: z.literal('CopyText'), text: z.string() }),
  z.strictObject({ do: z.literal('ShowToast'), text: z.string() }),
])

export const cardActionSchema = z
  .strictObject({
    role: z.enum(['confirm', 'cancel', 'other']),
    label: z.string().min(1),
    tone: z.enum(['go', 'stop', 'plain']),
    steps: z.array(stepSchema).min(1),
  })
  .superRefine(({ role, steps }, ctx) => {
    for (const [at, step] of steps.entries())
      if (role !== 'confirm' && step.do === 'SendMessage' && step.text.startsWith('Apply: '))
        ctx.addIssue({ code: 'custom', path: ['steps', at, 'text'], message: 'applies a plan, and only Confirm may' })
  })

export const cardSchema = z.strictObject({
  version: z.literal(1),
  language: z.string().max(3).exactOptional(),
  kind: z.enum(['preview', 'success', 'error', 'approval', 'info']),
  title: z.string().min(1),
  subtitle: z.string().exactOptional(),
  icon: z
    .string()
    .max(most.icon)
    .regex(/^data:image\/(png|jpeg);base64,[\w+/]+=*$/, 'must be a data: address of a PNG or a JPEG')
    .exactOptional(),
  tool: z.string().min(1),
  source: z.string(),
  risk: z.enum(risks).exclude(['forbidden']).exactOptional(),
  claim: z.string().exactOptional(),
  blocks: list(cardBlockSchema, most.blocks).refine(
    (blocks) => withInner(blocks).filter(({ kind }) => kind === 'picture').length <= most.pictures,
    `may have at most ${most.pictures} pictures`,
  ),
  actions: list(cardActionSchema, most.actions),
  confirm_phrase: z
    .string()
    .max(most.phrase)
    .regex(/^[^\p{C}\p{Z}]+( [^\p{C}\p{Z}]+)*$/u, 'must be something that a person can read and type')
    .exactOptional(),
  state: stateSchema,
  plan: z
    .strictObject({ id: z.string(), ticket: z.string(), expires_in_ms: z.number().int().nonnegative() })
    .exactOptional(),
  edits: cardEditsSchema.exactOptional(),
  signed: z.string().exactOptional(),
  plan_id: z.string().exactOptional(),
  follow: z.literal(true).exactOptional(),
  code: z.string().exactOptional(),
  at: z.string().exactOptional(),
})
