// `segments.create`: the person signs a rule, and sees whom it means today.
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { shownAddress } from '../addresses/address.ts'
import { shownDomain } from '../addresses/domains.ts'
import { afterChange } from '../failures.ts'
import { mailTool } from '../mail-tool.ts'
import { fieldsBlock, numberValue, textValue } from '../../say.ts'
import type { MailDatabase } from '../schema.ts'
import { plain } from '../send-external/input.ts'
import { fullName } from '../templates/values.ts'
import { wordsIn } from '../words.ts'
import { audienceInWords, conditions } from './condition.ts'
import { countAudience, pageOfAudience } from './queries.ts'
import { audienceOut, segmentOut, segmentView } from './reads.ts'

const hidden = 'must not have control characters'

const input = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(80)
    .refine(plain, hidden)
    .refine((text) => text.trim() === text, 'must not begin or end with a blank')
    .describe('By which people know it; each once'),
  conditions,
  description: z.string().min(1).max(500).refine(plain, hidden).optional(),
})

/** Contacts that the card names one by one. */
const named = 20

/** `segments.create`. */
export const createSegment = mailTool({
  name: 'segments.create',
  title: 'Create a segment',
  noun: 'the new segment',
  description:
    'Creates a segment: a name for conditions on contacts. Whom it means is asked of the contacts each time it is used. segments_preview tries conditions first.',
  category: 'communication',
  operation: 'write',
  risk: 'medium',
  permissions: ['contacts:read', 'segments:write'],
  input,
  output: z.strictObject({ segment: segmentOut, now: audienceOut }),
  failures: { name_taken: afterChange('Take another name; segments_list shows those that are taken.') },
  sideEffects: [{ what: 'A segment is added', onRepeat: 'Nothing: its name is taken' }],
  raced: ['name_taken'],
  async foresee(db, { name, conditions: all }, ctx) {
    const { tenant } = ctx.principal
    if (await isTaken(db, tenant, name))
      return ctx.fail('name_taken', `There is a segment “${name}” already.`, {
        fields: [{ pointer: '/name', received: name, allowed: 'a name that no other segment has' }],
      })
    return {
      audience: await countAudience(db, { tenant, conditions: all }),
      sample: await pageOfAudience(db, { tenant, conditions: all }, { limit: named }),
      // Contacts come and go; what is signed is the rule.
      seen: [],
      also: [`free:${encodeURIComponent(name)}`],
    }
  },
  describe({ audience, sample }, { name, conditions: all, description }, { language }) {
    const words = wordsIn(language)
    const { segment } = words
    return {
      title: segment.create(name),
      ...(description === undefined ? {} : { subtitle: description }),
      summary: segment.summary(name, audience.count),
      blocks: [
        fieldsBlock({
          [segment.who]: textValue(audienceInWords(all, words)),
          [segment.withoutFirstName]: numberValue(audience.withoutFirstName),
          [segment.undeliverable]: numberValue(audience.undeliverable),
        }),
        {
          kind: 'people',
          label: segment.meantNow,
          count: audience.count,
          sample: sample.map((contact) => ({
            name: fullName(contact) ?? segment.noName,
            address: shownAddress(contact.address),
          })),
          domains: audience.domains.map(({ domain, count: many }) => ({ name: shownDomain(domain), count: many })),
        },
      ],
      effects: [segment.isRule, words.noMailByThis],
      warnings: [
        ...(all.length === 0 ? [{ title: segment.noConditions }] : []),
        ...(audience.count === 0 ? [{ title: segment.nobody }] : []),
      ],
      confirmLabel: segment.confirm,
      details: { ...audience },
    }
  },
  async carryOut(transaction, { audience }, { name, conditions: all, description = null }, ctx) {
    const segment = {
      id: `sg_${randomBytes(10).toString('hex')}`,
      name,
      description,
      conditions: all,
      createdAt: new Date(ctx.now()).toISOString(),
      version: 1,
    }
    await transaction
      .insertInto('mail_segments')
      .values({
        id: segment.id,
        tenant: ctx.principal.tenant,
        name,
        description,
        conditions: JSON.stringify(all),
        created_at: segment.createdAt,
        version: 1,
      })
      .execute()
    return { segment: segmentView(segment), now: { ...audience, domains: [...audience.domains] } }
  },
  cards: {
    success(_input, { segment, now }, { language }) {
      const { segment: words } = wordsIn(language)
      return {
        title: words.created(segment.name),
        subtitle: words.now(now.count),
        blocks: [fieldsBlock({ [words.id]: textValue(segment.segmentId) })],
      }
    },
  },
})

async function isTaken(db: MailDatabase, tenant: string, name: string): Promise<boolean> {
  const row = await db
    .selectFrom('mail_segments')
    .select('id')
    .where('tenant', '=', tenant)
    .where('name', '=', name)
    .executeTakeFirst()
  return row !== undefined
}
