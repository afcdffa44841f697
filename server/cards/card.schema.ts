// The Zod schema of the card document: every card is parsed before it leaves the server, so that an author's mistake is an
// error with a path and not an empty iframe. `test/types` proves it equal to `model/card.ts`.
import { z } from 'zod'
import { cardEditsSchema, cardValueSchema, list, text } from './card-value.schema.ts'
import { cardLimits as most } from './limits.ts'
import { pictureFacts, pictureRule } from './picture-facts.ts'
import { risks } from '../model/risk.ts'
import { exactOptional } from '../exact-optional.ts'
import { cardActionSchema, stateSchema, webUrl } from './card-action.schema.ts'

const labelled = z.strictObject({ label: z.string(), value: cardValueSchema })
const facts = list(labelled, most.fields)
const spans = exactOptional(
  list(
    z.strictObject({
      from: z.int().nonnegative(),
      to: z.int().positive(),
      as: z.enum(['keyword', 'string', 'number', 'comment', 'name', 'danger', 'heading', 'strong', 'emphasis', 'code']),
    }),
    most.spans,
  ),
)

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
  z.strictObject({ label: z.string(), align: exactOptional(z.enum(['start', 'end'])) }),
  most.columns,
)
const count = z.int().nonnegative()

export const cardChangeSchema = z.strictObject({
  pointer: z.string(),
  label: z.string(),
  before: cardValueSchema,
  after: cardValueSchema,
  saw: exactOptional(cardValueSchema),
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
  id: exactOptional(z.string()),
  fields: exactOptional(facts),
  changes: exactOptional(changes),
})

/** One kind of block. Each may have a `fallback` for views that do not know the kind. */
const block = <const Kind extends string, const Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) =>
  z.strictObject({ kind: z.literal(kind), ...shape, fallback: exactOptional(z.string()) })

const details = {
  summary: z.string(),
  fields: facts,
  text: exactOptional(z.string().max(most.text)),
  spans,
  applied: exactOptional(z.boolean()),
}

/** What may stand inside of another block. */
const plainBlocks = [
  block('text', { text }),
  block('effects', { effects: list(text, most.effects) }),
  block('fields', { fields: facts }),
  block('diff', {
    changes,
    unchanged: exactOptional(facts),
    records: exactOptional(list(recordSchema, most.records)),
    unchangedRecords: exactOptional(count),
  }),
  block('lines', {
    columns,
    itemLabel: z.string(),
    items: list(
      z.strictObject({ id: exactOptional(z.string()), label: z.string(), cells: z.array(cardValueSchema) }),
      most.rows,
    ),
    totals: exactOptional(facts),
  }).superRefine((block, ctx) => {
    for (const [at, { cells }] of block.items.entries())
      if (cells.length > block.columns.length)
        ctx.addIssue({ code: 'custom', path: ['items', at, 'cells'], message: 'has more cells than columns' })
  }),
  block('table', {
    label: z.string(),
    columns: columns.min(1),
    rows: list(z.array(cardValueSchema), most.rows),
    totals: exactOptional(facts),
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
    next: exactOptional(listPart),
    opens: exactOptional(z.literal(true)),
    rest: exactOptional(text),
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
      z.strictObject({ name: z.string(), address: exactOptional(z.string()), isNew: exactOptional(z.boolean()) }),
      most.sample,
    ),
    domains: exactOptional(list(z.strictObject({ name: z.string(), count }), most.domains)),
    newCount: exactOptional(count),
  }).refine((block) => block.sample.length <= block.count && (block.newCount ?? 0) <= block.count, {
    path: ['count'],
    message: 'is smaller than the sample or the number of new people',
  }),
  block('steps', {
    steps: list(
      z.strictObject({
        label: z.string(),
        state: z.enum(['planned', 'applied', 'verified', 'failed', 'not-run', 'unknown']),
        note: exactOptional(text),
      }),
      most.steps,
    ),
  }),
  block('progress', {
    label: z.string(),
    done: count,
    total: count,
    marks: exactOptional(list(z.number().min(0).max(100), most.metrics)),
  }).refine((block) => block.done <= block.total, {
    path: ['done'],
    message: 'is more than the total',
  }),
  block('metrics', {
    metrics: list(
      z.strictObject({ label: z.string(), value: cardValueSchema, before: exactOptional(cardValueSchema) }),
      most.metrics,
    ),
  }),
  block('alert', {
    severity: z.enum(['info', 'warning', 'danger', 'block']),
    title: z.string(),
    text: exactOptional(text),
  }),
  block('code', {
    text: z.string().max(most.code),
    language: exactOptional(z.string()),
    label: exactOptional(z.string()),
    spans,
  }).refine(spansFit, spansOf),
  block('picture', {
    label: text,
    alt: text.min(1, 'must say in words what the picture shows'),
    data: z
      .string()
      .max(most.picture, `must have at most ${most.picture} characters, which are ${(most.picture * 3) / 4} bytes`),
    width: z.int().positive().max(most.pictureSide),
    height: z.int().positive().max(most.pictureSide),
  }).superRefine((block, ctx) => {
    const facts = pictureFacts(block.data)
    if (facts === undefined)
      ctx.addIssue({
        code: 'custom',
        path: ['data'],
        message: pictureRule,
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
    blocks: exactOptional(
      list(
        z.discriminatedUnion('kind', [...plainBlocks, block('details', details).refine(spansFit, spansOf)]),
        most.blocks,
      ),
    ),
  }).refine(spansFit, spansOf),
])

/** These blocks and those inside of them. */
const withInner = (blocks: readonly z.infer<typeof cardBlockSchema>[]): readonly { readonly kind: string }[] =>
  blocks.flatMap((each) => (each.kind === 'details' ? [each, ...(each.blocks ?? [])] : [each]))

export const cardSchema = z.strictObject({
  version: z.literal(1),
  language: exactOptional(z.string().max(3)),
  kind: z.enum(['preview', 'success', 'error', 'approval', 'info']),
  title: z.string().min(1),
  subtitle: exactOptional(z.string()),
  icon: exactOptional(
    z
      .string()
      .max(most.icon)
      .regex(/^data:image\/(png|jpeg);base64,[\w+/]+=*$/, 'must be a data: address of a PNG or a JPEG'),
  ),
  tool: z.string().min(1),
  source: z.string(),
  risk: exactOptional(z.enum(risks).exclude(['forbidden'])),
  claim: exactOptional(z.string()),
  blocks: list(cardBlockSchema, most.blocks).refine(
    (blocks) => withInner(blocks).filter(({ kind }) => kind === 'picture').length <= most.pictures,
    `may have at most ${most.pictures} pictures`,
  ),
  actions: list(cardActionSchema, most.actions),
  confirm_phrase: exactOptional(
    z
      .string()
      .max(most.phrase)
      .regex(/^[^\p{C}\p{Z}]+( [^\p{C}\p{Z}]+)*$/u, 'must be something that a person can read and type'),
  ),
  state: stateSchema,
  plan: exactOptional(
    z.strictObject({ id: z.string(), ticket: z.string(), expires_in_ms: z.number().int().nonnegative() }),
  ),
  edits: exactOptional(cardEditsSchema),
  signed: exactOptional(z.string()),
  plan_id: exactOptional(z.string()),
  follow: exactOptional(z.literal(true)),
  code: exactOptional(z.string()),
  at: exactOptional(z.string()),
})
