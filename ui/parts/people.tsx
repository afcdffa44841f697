// Who is touched: how many, a few by name, where they are, and who hears from us for the first time.
import type { VNode } from 'preact'
import { formatNumber } from './format.ts'
import { Marked } from './marked.tsx'
import type { Reader } from './reader.ts'
import { fill } from './words.ts'

interface PeopleBlock {
  readonly label: string
  readonly count: number
  readonly sample: readonly { readonly name: string; readonly address?: string; readonly isNew?: boolean }[]
  readonly domains?: readonly { readonly name: string; readonly count: number }[]
  readonly newCount?: number
}

export const People = ({ block, reader }: { readonly block: PeopleBlock; readonly reader: Reader }): VNode => {
  const { words } = reader
  const { label, count, sample, domains = [], newCount } = block
  const number = (value: number): string => formatNumber(String(value), reader)
  return (
    <div>
      <Marked text={label} reader={reader} /> <b>{number(count)}</b>
      {newCount !== undefined && (
        <>
          {' · '}
          {newCount > 0 ? (
            <b class="changed">
              {words.$new}: {number(newCount)}
            </b>
          ) : (
            `${words.$new}: ${number(newCount)}`
          )}
        </>
      )}
      <ul class="list rows">
        {sample.map(({ name, address, isNew }) => (
          <li>
            <Marked text={name} reader={reader} />{' '}
            {address && (
              <code>
                <Marked text={address} reader={reader} />
              </code>
            )}{' '}
            {isNew && <b class="changed">{words.$new}</b>}
          </li>
        ))}
        {sample.length > 0 && sample.length < count && (
          <li class="unset">{fill(words.$more, number(count - sample.length))}</li>
        )}
        {domains.length > 0 && (
          <li>
            {domains.map((domain) => (
              <span class="tag">
                <Marked text={domain.name} reader={reader} /> {number(domain.count)}
              </span>
            ))}
          </li>
        )}
      </ul>
    </div>
  )
}
