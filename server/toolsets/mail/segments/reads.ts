// The reads of segments: which there are, and whom one means now.
import { z } from 'zod'
import type { Contract } from '../../../tools/contract.ts'
import { defineTool } from '../../../tools/define-tool.ts'
import { afterChange } from '../failures.ts'
import type { MailDatabase } from '../schema.ts'
import { hasEnded } from '../../../tools/has-ended.ts'
import { contactOut, contactView } from '../views.ts'
import { condition, conditions } from './condition.ts'
import { countAudience, findSegment, listSegments, pageOfAudience, type Segment } from './queries.ts'

export const segmentId = z.string().min(1).max(40).describe('Id of a segment, like "sg_…"; see segments_list')

export const segmentOut = z.strictObject({
  segmentId: z.string(),
  name: z.string(),
  description: z.string().optional(),
  conditions: z.array(condition),
})

export const segmentView = ({ id, name, description, conditions: all }: Segment): z.infer<typeof segmentOut> => ({
  segmentId: id,
  name,
  ...(description === null ? {} : { description }),
  conditions: [...all],
})

/** `segments.list`. */
export const listTool = (db: MailDatabase): Contract =>
  defineTool({
    name: 'segments.list',
    title: 'List segments',
    description: 'Lists the segments of contacts by name, with their conditions. segments_preview counts one.',
    category: 'communication',
    operation: 'read',
    risk: 'low',
    permissions: ['contacts:read'],
    input: z.strictObject({ limit: z.int().min(1).max(200).default(50) }),
    output: z.strictObject({ segments: z.array(segmentOut), more: z.boolean() }),
    failures: {},
    async run({ limit }, ctx) {
      const found = await listSegments(db, ctx.principal.tenant)
      return { segments: found.slice(0, limit).map(segmentView), more: found.length > limit }
    },
  })

export const audienceOut = z.strictObject({
  count: z.int(),
  withoutFirstName: z.int(),
  undeliverable: z.int().describe('Marked as undeliverable; they get no mail'),
  domains: z
    .array(z.strictObject({ domain: z.string(), count: z.int() }))
    .describe('Those with most of them, the most first'),
  domainCount: z.int(),
})

/** `segments.preview`. */
export const previewTool = (db: MailDatabase): Contract =>
  defineTool({
    name: 'segments.preview',
    cheatsheet: 'mail',
    title: 'Preview a segment',
    description:
      'Whom a segment means now, or conditions that are no segment yet: how many, how many have no first name, how many are undeliverable, their domains, and a page of them by address.',
    category: 'communication',
    operation: 'read',
    risk: 'low',
    permissions: ['contacts:read'],
    input: z
      .strictObject({
        segmentId: segmentId.optional(),
        conditions: conditions.optional(),
        limit: z.int().min(0).max(100).default(10),
        cursor: z.string().max(400).optional().describe('nextCursor of the page before'),
      })
      .refine((given) => (given.segmentId === undefined) !== (given.conditions === undefined), {
        path: ['segmentId'],
        message: 'give segmentId or conditions, and not both',
      }),
    output: audienceOut.extend({ contacts: z.array(contactOut), nextCursor: z.string().optional() }),
    failures: { unknown_segment: afterChange('Look the segment up with segments_list and use its id.') },
    async run({ segmentId: id, conditions: given = [], limit, cursor }, ctx) {
      const { tenant } = ctx.principal
      const segment = id === undefined ? undefined : await findSegment(db, ctx, id)
      if (hasEnded(segment)) return segment
      const meant = { tenant, conditions: segment?.conditions ?? given }
      const { domains, ...audience } = await countAudience(db, meant)
      const found = await pageOfAudience(db, meant, { after: cursor, limit: limit + 1 })
      const page = found.slice(0, limit)
      const last = page.at(-1)
      return {
        ...audience,
        domains: [...domains],
        contacts: page.map(contactView),
        ...(last === undefined || found.length === page.length ? {} : { nextCursor: last.address_key }),
      }
    },
  })
