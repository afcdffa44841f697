// Old beside new. The strike and the tint are for the eye; the words "was" and "becomes" say the same to the ear, and
// survive forced colours. Long texts are compared word by word or line by line, lists member by member, records one by
// one; when the world moved after a preview, four columns: field, what was seen, what is, what would be.
import type { ComponentChildren, VNode } from 'preact'
import { compare } from './compare.ts'
import { Details, Fields, type Labelled } from './fields.tsx'
import { Marked } from './marked.tsx'
import type { Reader } from './reader.ts'
import { Tabular } from './tabular.tsx'
import { Value, type ShownValue } from './value.tsx'
import { counted } from './count.ts'

interface Change {
  readonly pointer: string
  readonly label: string
  readonly before: ShownValue
  readonly after: ShownValue
  readonly saw?: ShownValue
}

interface RecordChange {
  readonly change: 'added' | 'changed' | 'removed'
  readonly label: string
  readonly id?: string
  readonly fields?: readonly Labelled[]
  readonly changes?: readonly Change[]
}

interface DiffProps {
  readonly block: {
    readonly changes: readonly Change[]
    readonly unchanged?: readonly Labelled[]
    readonly records?: readonly RecordChange[]
    readonly unchangedRecords?: number
  }
  readonly reader: Reader
}

/** What has nothing in it to strike out. */
const isNothing = (value: ShownValue): boolean =>
  value.kind === 'unset' || value.kind === 'unknown' || (value.kind === 'text' && value.text === '')

/** Values are plain data, so their JSON tells whether two are the same. */
const jsonOf = (value: ShownValue): string => JSON.stringify(value)

const Count = ({
  words,
  count,
  reader,
}: {
  readonly words: '$characters' | '$unchanged'
  readonly count: number
  readonly reader: Reader
}): VNode => <i class="unset">{counted(reader, words, count)}</i>

/** One piece that goes or comes, with its word for the ear. */
const Went = ({
  sign,
  reader,
  children,
}: {
  readonly sign: '-' | '+'
  readonly reader: Reader
  readonly children: ComponentChildren
}): VNode => {
  const Tag = sign === '-' ? 'del' : 'ins'
  return (
    <Tag>
      <span class="sr">{reader.words[sign === '-' ? '$removed' : '$added']}: </span>
      {children}
    </Tag>
  )
}

/** Words that stay are shown up to here around a change; the rest is counted. */
const NEAR = 160

/** Two texts as one: line by line where there are many lines, word by word elsewhere. */
const TextDiff = ({ a, b, reader }: { readonly a: string; readonly b: string; readonly reader: Reader }): VNode => {
  const byLine = a.split('\n').length > 3
  const cut = (text: string): string[] => (byLine ? `${text}\n`.split(/(?<=\n)/) : text.split(/(?<=\s)|(?=\s)/))
  return (
    <span class={byLine ? 'text by-line' : 'text'}>
      {compare(cut(a), cut(b)).map(([sign, items]) => {
        const text = items.join('').replace(byLine ? /\n$/ : /$^/, '')
        if (sign)
          return (
            <Went sign={sign} reader={reader}>
              <Marked text={text} reader={reader} lines />
            </Went>
          )
        if (text.length <= 3 * NEAR) return <Marked text={text} reader={reader} lines />
        return (
          <>
            <Marked text={text.slice(0, NEAR)} reader={reader} lines />
            <details class="long">
              <summary>
                … <Count words="$characters" count={text.length - 2 * NEAR} reader={reader} /> …
              </summary>
              <Marked text={text.slice(NEAR, -NEAR)} reader={reader} lines />
            </details>
            <Marked text={text.slice(-NEAR)} reader={reader} lines />
          </>
        )
      })}
    </span>
  )
}

const ListDiff = ({
  a,
  b,
  reader,
}: {
  readonly a: readonly ShownValue[]
  readonly b: readonly ShownValue[]
  readonly reader: Reader
}): VNode => (
  <ul class="list">
    {compare(a.map(jsonOf), b.map(jsonOf)).map(([sign, items]) =>
      sign ? (
        items.map((item) => (
          <li>
            <Went sign={sign} reader={reader}>
              <Value value={JSON.parse(item) as ShownValue} reader={reader} />
            </Went>{' '}
            <i class="unset" aria-hidden="true">
              {reader.words[sign === '-' ? '$removed' : '$added']}
            </i>
          </li>
        ))
      ) : (
        <li>
          <Count words="$unchanged" count={items.length} reader={reader} />
        </li>
      ),
    )}
  </ul>
)

const isLong = (a: string, b: string): boolean =>
  a !== '' && b !== '' && (a.length + b.length > 120 || /\n/.test(a + b))

const OldNew = ({ change: { before, after }, reader }: { readonly change: Change; readonly reader: Reader }): VNode => {
  if (before.kind === 'text' && after.kind === 'text' && isLong(before.text, after.text))
    return <TextDiff a={before.text} b={after.text} reader={reader} />
  if (before.kind === 'list' && after.kind === 'list')
    return <ListDiff a={before.items} b={after.items} reader={reader} />
  const old = <Value value={before} reader={reader} />
  return (
    <>
      <span class="was">
        <span class="sr">{reader.words.$was} </span>
        {isNothing(before) ? old : <del>{old}</del>}
      </span>
      <span class="becomes">
        <span class="arrow way" aria-hidden="true">
          →
        </span>
        <span class="sr">, {reader.words.$becomes} </span>
        <ins>
          <Value value={after} reader={reader} />
        </ins>
      </span>
    </>
  )
}

const TwoWay = ({ changes, reader }: { readonly changes: readonly Change[]; readonly reader: Reader }): VNode => (
  <dl class="fields change">
    {changes.map((change) => (
      <div>
        <dt>
          <Marked text={change.label} reader={reader} />
        </dt>
        <dd>
          <OldNew change={change} reader={reader} />
        </dd>
      </div>
    ))}
  </dl>
)

const ThreeWay = ({ changes, reader }: { readonly changes: readonly Change[]; readonly reader: Reader }): VNode => {
  const { words } = reader
  return (
    <div>
      <Tabular
        label={words.$wouldBecome}
        columns={[words.$field, words.$youSaw, words.$now, words.$wouldBecome].map((label) => ({ label }))}
        rows={changes.map(({ label, before, after, saw = before }) => [
          <Marked text={label} reader={reader} />,
          <Value value={saw} reader={reader} />,
          <span class={jsonOf(saw) === jsonOf(before) ? '' : 'moved'}>
            <Value value={before} reader={reader} />
          </span>,
          <ins>
            <Value value={after} reader={reader} />
          </ins>,
        ])}
      />
    </div>
  )
}

const said = { added: '$added', changed: '$changed', removed: '$removed' } as const

const Records = ({ block: { records = [], unchangedRecords = 0 }, reader }: DiffProps): VNode => (
  <ul class="list rows">
    {records.map(({ change, label, id, fields = [], changes = [] }) => (
      <li>
        <b class={change}>{reader.words[said[change]]}</b> <Marked text={label} reader={reader} />{' '}
        {id && (
          <code class="id">
            <Marked text={id} reader={reader} />
          </code>
        )}
        {fields.length > 0 && <Fields block={{ fields }} reader={reader} />}
        {changes.length > 0 && <TwoWay changes={changes} reader={reader} />}
      </li>
    ))}
    {unchangedRecords > 0 && (
      <li>
        <Count words="$unchanged" count={unchangedRecords} reader={reader} />
      </li>
    )}
  </ul>
)

export const Diff = ({ block, reader }: DiffProps): VNode => {
  const { changes, unchanged = [] } = block
  const Way = changes.some((change) => change.saw) ? ThreeWay : TwoWay
  return (
    <>
      {changes.length > 0 && <Way changes={changes} reader={reader} />}
      {block.records && <Records block={block} reader={reader} />}
      {unchanged.length > 0 && (
        <Details
          block={{ summary: counted(reader, '$unchangedFields', unchanged.length), fields: unchanged, applied: false }}
          reader={reader}
        />
      )}
    </>
  )
}
