// The words that databases spell differently. A migration is written once and gets them handed in.

export interface ColumnTypes {
  readonly bytes: 'blob' | 'bytea'
}
