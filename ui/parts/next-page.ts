import type { ListRow } from './reader.ts'

/** Rows with those of the next page. A list may have changed since: what is there already does not come twice. */
export const withNextPage = (rows: readonly ListRow[], page: readonly ListRow[]): readonly ListRow[] => [
  ...rows,
  ...page.filter(({ key }) => !rows.some((row) => row.key === key)),
]
