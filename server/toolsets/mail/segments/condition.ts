// A segment is a rule, not a list: who is in it is asked of the contacts each time. Conditions are compared by the
// database, in words that SQLite and PostgreSQL understand alike; capitals do not matter (`folded.ts`).
import { sql, type ExpressionBuilder, type SqlBool, type Expression } from 'kysely'
import { z } from 'zod'
import { asciiDomain } from '../addresses/domains.ts'
import { fold, foldedColumn } from '../contacts/folded.ts'
import type { MailTables } from '../schema.ts'
import { plain } from '../send-external/input.ts'
import type { MailWords } from '../words.ts'

/** Kept in lower case, which they are compared in. */
const lower = { email: 'address_key', domain: 'domain' } as const

const isLower = (of: string): of is keyof typeof lower => Object.hasOwn(lower, of)

const field = z.enum(['name', 'first_name', 'last_name', 'email', 'domain', 'company', 'note', 'undeliverable'])

/** One condition on a contact. */
export const condition = z.union([
  z.strictObject({
    field,
    operator: z.enum(['is', 'is_not', 'contains']),
    value: z.string().min(1).max(200).refine(plain, 'must not have control characters'),
  }),
  z.strictObject({ field, operator: z.enum(['exists', 'missing']) }),
])
export type Condition = z.infer<typeof condition>
export type ConditionField = Condition['field']

export const conditions = z
  .array(condition)
  .max(20)
  .describe(
    'All of them must hold; none: every contact. is_not also holds of contacts that have no value. {"field": "domain", "operator": "is", "value": "acme.example"}',
  )

/** What a contact must be to be meant. */
export const holds =
  (all: readonly Condition[]) =>
  (eb: ExpressionBuilder<MailTables, 'mail_contacts'>): Expression<SqlBool> =>
    eb.and(all.map((each) => one(each)))

function one(given: Condition): Expression<SqlBool> {
  // No value and an empty one are the same to whoever asks.
  const text = isLower(given.field) ? sql.ref(`mail_contacts.${lower[given.field]}`) : foldedColumn(given.field)
  if (!('value' in given)) return given.operator === 'exists' ? sql<SqlBool>`${text} <> ''` : sql<SqlBool>`${text} = ''`
  const value = sql`cast(${isLower(given.field) ? asStored(given).toLowerCase() : fold(given.value)} as text)`
  switch (given.operator) {
    case 'is':
      return sql<SqlBool>`${text} = ${value}`
    case 'is_not':
      return sql<SqlBool>`${text} <> ${value}`
    case 'contains':
      return sql<SqlBool>`replace(${text}, ${value}, '') <> ${text}`
    default:
      return given satisfies never
  }
}

/** Domains are stored in ASCII; a part of one is looked for as it is. */
function asStored({ field: of, operator, value }: Extract<Condition, { readonly value: string }>): string {
  if (operator === 'contains') return value
  if (of === 'domain') return asciiDomain(value) ?? value
  const at = value.lastIndexOf('@')
  if (of !== 'email' || at < 0) return value
  return `${value.slice(0, at)}@${asciiDomain(value.slice(at + 1)) ?? value.slice(at + 1)}`
}

/** "company is “ACME”", "first name is missing". */
function conditionInWords(given: Condition, { segment: words }: Pick<MailWords, 'segment'>): string {
  const of = words.fields[given.field]
  switch (given.operator) {
    case 'is':
      return words.is(of, given.value)
    case 'is_not':
      return words.isNot(of, given.value)
    case 'contains':
      return words.contains(of, given.value)
    case 'exists':
      return words.exists(of)
    case 'missing':
      return words.missing(of)
    default:
      return given satisfies never
  }
}

/** Whom a segment means. */
export const audienceInWords = (all: readonly Condition[], words: Pick<MailWords, 'segment'>): string =>
  all.length === 0 ? words.segment.everybody : words.segment.allOf(all.map((each) => conditionInWords(each, words)))
