// Capitals do not matter to whoever looks for a contact. What databases fold differs (SQLite A to Z, PostgreSQL by how it was
// set up), so each text stands beside itself as it is compared.
import { sql, type RawBuilder } from 'kysely'

/** The columns that are compared like this. */
export const foldedFields = ['name', 'first_name', 'last_name', 'company', 'note', 'undeliverable'] as const
type FoldedField = (typeof foldedFields)[number]

/** A text without the difference of capitals, in any script: “Straße” is “STRASSE”, and “ΟΔΟΣ” is “οδος”. */
export const fold = (text: string): string => text.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ')

/** The columns that go with these values of a contact, to be written with them. */
export const folded = <Field extends FoldedField>(values: Readonly<Partial<Record<Field, string | null>>>) =>
  Object.fromEntries(
    foldedFields.flatMap((field) => {
      const value = (values as Partial<Record<FoldedField, string | null>>)[field]
      return value === undefined ? [] : [[`${field}_folded`, value === null ? null : fold(value)]]
    }),
  ) as { readonly [Name in `${Field}_folded`]: string | null }

/** A contact with these columns, for who writes it whole. */
export const withFolded = <Row extends Readonly<Record<FoldedField, string | null>>>(row: Row) => ({
  ...row,
  ...folded<FoldedField>(row),
})

/** Such a column in SQL, empty where there is no value. Rows that other programs have written are folded by the database. */
export const foldedColumn = (field: FoldedField): RawBuilder<string> => {
  const at = (name: string) => sql.ref(`mail_contacts.${name}`)
  return sql<string>`coalesce(${at(`${field}_folded`)}, lower(coalesce(${at(field)}, '')))`
}
