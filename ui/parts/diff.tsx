// Old beside new. The strike and the tint are for the eye; the words "was" and "becomes" say the same to the ear, and
// survive forced colours. When the world moved after a preview, four columns: field, what was seen, what is, what would be.
import type { VNode } from 'preact'
import { Details, type Labelled } from './fields.tsx'
import { Marked } from './marked.tsx'
import type { Reader } from './reader.ts'
import { Scroll } from './scroll.tsx'
import { Value, type ShownValue } from './value.tsx'

export interface Change {
  readonly pointer: string
  readonly label: string
  readonly before: ShownValue
  readonly after: ShownValue
  readonly saw?: ShownValue
}

interface DiffProps {
  readonly block: { readonly changes: readonly Change[]; readonly unchanged?: readonly Labelled[] }
  readonly reader: Reader
}

const isNothing = (value: ShownValue): boolean => value.kind === 'unset' || value.kind === 'unknown'

/** Values are plain data, so their JSON tells whether two are the same. */
const isSame = (a: ShownValue, b: ShownValue): boolean => JSON.stringify(a) === JSON.stringify(b)

const Before = ({ value, reader }: { readonly value: ShownValue; readonly reader: Reader }): VNode => (
  <span class="was">
    <span class="sr">{reader.words.was} </span>
    {isNothing(value) ? (
      <Value value={value} reader={reader} />
    ) : (
      <del>
        <Value value={value} reader={reader} />
      </del>
    )}
  </span>
)

const After = ({ value, reader }: { readonly value: ShownValue; readonly reader: Reader }): VNode => (
  <span class="becomes">
    <span class="arrow" aria-hidden="true">
      →
    </span>
    <span class="sr">, {reader.words.becomes} </span>
    <ins>
      <Value value={value} reader={reader} />
    </ins>
  </span>
)

const TwoWay = ({ changes, reader }: { readonly changes: readonly Change[]; readonly reader: Reader }): VNode => (
  <dl class="fields change">
    {changes.map((change) => (
      <div>
        <dt>
          <Marked text={change.label} reader={reader} />
        </dt>
        <dd>
          <Before value={change.before} reader={reader} />
          <After value={change.after} reader={reader} />
        </dd>
      </div>
    ))}
  </dl>
)

const ThreeWay = ({ changes, reader }: { readonly changes: readonly Change[]; readonly reader: Reader }): VNode => {
  const { words } = reader
  return (
    <Scroll label={words.wouldBecome}>
      <table>
        <thead>
          <tr>
            {[words.field, words.youSaw, words.now, words.wouldBecome].map((head) => (
              <th scope="col">{head}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => {
            const saw = change.saw ?? change.before
            return (
              <tr>
                <th scope="row">
                  <Marked text={change.label} reader={reader} />
                </th>
                <td>
                  <Value value={saw} reader={reader} />
                </td>
                <td class={isSame(saw, change.before) ? '' : 'moved'}>
                  <Value value={change.before} reader={reader} />
                </td>
                <td>
                  <ins>
                    <Value value={change.after} reader={reader} />
                  </ins>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Scroll>
  )
}

export const Diff = ({ block, reader }: DiffProps): VNode => {
  const unchanged = block.unchanged ?? []
  return (
    <>
      {block.changes.length === 0 ? null : block.changes.some((change) => change.saw) ? (
        <ThreeWay changes={block.changes} reader={reader} />
      ) : (
        <TwoWay changes={block.changes} reader={reader} />
      )}
      {unchanged.length > 0 && (
        <Details block={{ summary: reader.words.unchanged(unchanged.length), fields: unchanged }} reader={reader} />
      )}
    </>
  )
}
