// Read tools answer in JSON, because a model reads it. A person gets the same data as a table or a list of facts; what
// does not fit on a sheet is counted and stays in the structured result below.
import type { VNode } from 'preact'
import type { Reader } from '../../parts/reader.ts'
import { Tabular } from '../../parts/tabular.tsx'
import { Value, type ShownValue } from '../../parts/value.tsx'
import { humanize } from '../tools/tool-facts.ts'

type Data = Readonly<Record<string, unknown>>

const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value)
const isRows = (value: unknown): value is readonly Data[] =>
  Array.isArray(value) && value.length > 0 && value.every(isData)

/** Whether a table, or facts in groups, say more than the text beside them. Of a write's envelope the text says it better. */
export const isShownBetter = (data: Data): boolean =>
  !('status' in data) && Object.values(data).some((value) => isRows(value) || isFacts(value))

interface DataProps {
  readonly data: Data
  readonly reader: Reader
}

/** Facts of an object; lists of objects in it become tables. */
export function DataView({ data, reader }: DataProps): VNode {
  const entries = Object.entries(data)
  const facts = entries.filter(([, value]) => !isRows(value))
  return (
    <>
      {entries.map(([name, value]) => isRows(value) && <Rows key={name} name={name} rows={value} reader={reader} />)}
      {facts.length > 0 && (
        <dl>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{humanize(name)}</dt>
              <dd>{draw(value, reader)}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  )
}

const columnsShown = 6

interface RowsProps {
  readonly name: string
  readonly rows: readonly Data[]
  readonly reader: Reader
}

function Rows({ name, rows, reader }: RowsProps): VNode {
  const all = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const columns = all
    .filter((column) => rows.some((row) => !isBlank(row[column])) && !rows.every((row) => isDigest(row[column])))
    .slice(0, columnsShown)
  const left = all.length - columns.length
  const numeric = (column: string) => rows.every((row) => typeof row[column] === 'number' || isMoney(row[column]))
  return (
    <section aria-label={humanize(name)}>
      <Tabular
        label={humanize(name)}
        columns={columns.map((column) => ({ label: humanize(column), end: numeric(column) }))}
        rows={rows.map((row) => columns.map((column) => draw(row[column], reader)))}
      />
      {left > 0 && (
        <p class="more">{`${left} more ${left === 1 ? 'field' : 'fields'} of each in the structured result.`}</p>
      )}
    </section>
  )
}

interface Money {
  readonly amount: string
  readonly currency: string
}

const isMoney = (value: unknown): value is Money =>
  isData(value) && typeof value['amount'] === 'string' && typeof value['currency'] === 'string'

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** A hash is compared by programs: to a person it says nothing, and it takes the room of three columns. */
const isDigest = (value: unknown): boolean => typeof value === 'string' && /^[\da-f]{40,}$/.test(value)

/** An object that reads as facts: no lists in it, and nothing deep. */
const isFacts = (value: unknown, depth = 2): value is Data =>
  isData(value) &&
  !isMoney(value) &&
  Object.values(value).every((one) => isBlank(one) || typeof one !== 'object' || (depth > 1 && isFacts(one, depth - 1)))

const draw = (value: unknown, reader: Reader): VNode =>
  isFacts(value) ? <DataView data={value} reader={reader} /> : <Value value={shownOf(value, reader)} reader={reader} />

const shownOf = (value: unknown, { words }: Reader): ShownValue => {
  if (Array.isArray(value) && value.length === 0) return { kind: 'text', text: words.$none }
  if (isBlank(value)) return { kind: 'unset' }
  if (typeof value === 'boolean') return { kind: 'boolean', value }
  if (typeof value === 'number') return { kind: 'number', value: String(value) }
  if (isMoney(value)) return { kind: 'money', amount: value.amount, currency: value.currency }
  if (typeof value !== 'string') return { kind: 'code', text: JSON.stringify(value) }
  return isInstant(value) ? { kind: 'date', iso: value, precision: 'minute' } : { kind: 'text', text: value }
}

const isInstant = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text))
