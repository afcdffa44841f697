// Columns are in snake_case and null where there is nothing; our own values are in camelCase and undefined there.

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name

/** A parsed row as our own value. */
type FromRow<Row> = {
  readonly [Name in keyof Row as Camel<Name & string>]: null extends Row[Name]
    ? Exclude<Row[Name], null> | undefined
    : Row[Name]
}

const names = new Map<string, string>()

const camel = (column: string): string => {
  const known = names.get(column) ?? column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  names.set(column, known)
  return known
}

/** Renames the columns of a parsed row, and takes null for undefined. */
export const fromRow = <Row extends object>(row: Row): FromRow<Row> =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]: [string, unknown]) => [camel(column), value ?? undefined]),
  ) as FromRow<Row>

/** Who did something, and when, of the two columns that say so; `undefined` where nobody has. */
export const marked = (
  at: number | undefined,
  by: string | undefined,
): { readonly at: number; readonly by: string } | undefined =>
  at === undefined ? undefined : { at, by: by ?? 'unknown' }
