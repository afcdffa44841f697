// The words that databases spell differently. A migration is written once and gets them handed in.

export interface ColumnTypes {
  readonly bytes: 'blob' | 'bytea'
  /** A number that the database counts up by itself. */
  readonly position: 'integer' | 'bigserial'
}
