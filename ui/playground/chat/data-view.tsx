// Read tools answer in JSON, because a model reads it. A person gets the same data as a table or a list of facts; what
// does not fit on a sheet is counted and stays in the structured result below.
import type { VNode } from 'preact'
import { formatDate, formatMoney, formatNumber, type Place } from '../../parts/format.ts'
import { humanize } from '../tools/tool-facts.ts'

type Data = Readonly<Record<string, unknown>>

const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value)
const isRows = (value: unknown): value is readonly Data[] =>
  Array.isArray(value) && value.length > 0 && value.every(isData)

/** Whether a table says more than the text beside it. Of a write's envelope the text says it better. */
export const hasRows = (data: Data): boolean => !('status' in data) && Object.values(data).some(isRows)

/** Facts of an object; lists of objects in it become tables. */
export function DataView({ data, place }: { readonly data: Data; readonly place: Place }): VNode {
  const entries = Object.entries(data)
  const facts = entries.filter(([, value]) => !isRows(value))
  return (
    <>
      {entries.map(([name, value]) => isRows(value) && <Rows key={name} name={name} rows={value} place={place} />)}
      {facts.length > 0 && (
        <dl class="facts">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{humanize(name)}</dt>
              <dd>
                <Value value={value} place={place} />
              </dd>
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
  readonly place: Place
}

function Rows({ name, rows, place }: RowsProps): VNode {
  const all = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const columns = all.filter((column) => rows.some((row) => !isBlank(row[column]))).slice(0, columnsShown)
  const numeric = (column: string) => rows.every((row) => typeof row[column] === 'number' || isMoney(row[column]))
  return (
    <div class="scroll" role="region" aria-label={humanize(name)} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} class={numeric(column) ? 'num' : ''}>
                {humanize(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {columns.map((column) => (
                <td key={column} class={numeric(column) ? 'num' : ''}>
                  <Value value={row[column]} place={place} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {columns.length < all.length && (
        <p class="more">{`${all.length - columns.length} more fields of each in the structured result.`}</p>
      )}
    </div>
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

function Value({ value, place }: { readonly value: unknown; readonly place: Place }): VNode {
  if (isBlank(value)) return <i class="unset">not set</i>
  if (typeof value === 'boolean') return <>{value ? 'Yes' : 'No'}</>
  if (typeof value === 'number') return <>{formatNumber(String(value), place)}</>
  if (isMoney(value)) return <>{formatMoney(value.amount, value.currency, place)}</>
  if (typeof value === 'string')
    return isInstant(value) ? <time dateTime={value}>{formatDate(value, 'minute', place)}</time> : <>{value}</>
  if (isData(value) && Object.values(value).every((one) => typeof one !== 'object'))
    return <DataView data={value} place={place} />
  return <code>{JSON.stringify(value)}</code>
}

const isInstant = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text))
