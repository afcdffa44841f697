// Values of the call that the person changes before anything is confirmed. The server looks at them while they are written; what
// comes of it is a new preview, and nothing here applies anything.
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Note } from '../parts/alert.tsx'
import { Marked } from '../parts/marked.tsx'
import type { Reader } from '../parts/reader.ts'
import type { CardEdit, CardEdits } from '../../server/model/card-edits.ts'
import type { Draft } from './effects.ts'
import type { Revised } from './read-card.ts'
import type { SheetProps } from './sheet.tsx'
import { canConfirm, type State, type View } from './state.ts'

/** How long the person rests before the server is asked. */
const REST = 400

const unchanged: Draft = { set: {}, out: [] }

/** What is being changed, and how far it is. */
export interface Changing {
  readonly edits: CardEdits
  readonly draft: Draft
  /** What the server says against it, as far as it was heard. */
  readonly faults: NonNullable<Revised['faults']>
  /** Something was changed that can be sent. */
  readonly ready: boolean
  readonly sending: boolean
  readonly change: (draft: Draft) => void
  readonly send: () => void
}

/** The changing of an open card; nothing while nothing is changed. */
export const useRevision = (
  { revising }: State,
  view: Extract<View, { kind: 'card' }>,
  act: SheetProps['act'],
  { words }: Reader,
): Changing | undefined => {
  const [draft, change] = useState(unchanged)
  const [checked, note] = useState<{ readonly of: Draft; readonly answer: Revised | undefined }>()
  const { edits } = view.card
  const on = revising && edits && canConfirm(view)
  const changed = draft.out.length > 0 || Object.keys(draft.set).length > 0
  useEffect(() => {
    if (revising !== 'open' || !on || !changed) return undefined
    let current = true
    const timer = setTimeout(() => void act.check(draft).then((answer) => current && note({ of: draft, answer })), REST)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [draft, on, revising])
  if (!on) return undefined
  const faults = (checked?.of === draft && checked.answer?.faults) || []
  const sending = revising === 'sending'
  return {
    edits,
    draft,
    change,
    faults,
    ready: changed && !sending && faults.length === 0,
    sending,
    send: () =>
      void act
        .send(draft)
        .then((answer) => note({ of: draft, answer: answer ?? { faults: [{ at: '', text: words.$noAnswer }] } })),
  }
}

interface FieldProps extends Pick<Changing, 'draft' | 'faults' | 'change'> {
  readonly edit: CardEdit
  readonly reader: Reader
}

const Field = ({ edit, draft, faults, change, reader }: FieldProps): VNode => {
  const { at, as, label, value: given = '', currency, optional } = edit
  const { words } = reader
  const fault = faults.find((each) => each.at === at)?.text
  const own = {
    value: draft.set[at] ?? given,
    dir: 'auto' as const,
    'aria-invalid': fault !== undefined,
    'aria-describedby': `f${at}`,
    onInput: ({ currentTarget: { value } }: { readonly currentTarget: { readonly value: string } }) => {
      const { [at]: _, ...others } = draft.set
      change({ ...draft, set: value === given ? others : { ...others, [at]: value } })
    },
  }
  const picks =
    as === 'switch'
      ? [
          ['true', words.$yes],
          ['false', words.$no],
        ]
      : edit.choices?.map((choice) => [choice, choice])
  const none = optional || !given ? [['', words.$notSet]] : []
  const kind = (as === 'date' ? as : 'text') as 'date'
  // Each kind of field takes what the others have, and leaves what is not for it.
  const Control = (picks ? 'select' : as === 'long' ? 'textarea' : 'input') as 'input'
  return (
    <div class="field">
      <label>
        <Marked text={currency ? `${label} (${currency})` : label} reader={reader} />
        <Control {...own} type={kind} inputMode={as === 'number' ? 'decimal' : undefined} autoComplete="off">
          {picks &&
            [...none, ...picks].map(([value, said]) => (
              <option value={value} selected={value === own.value}>
                {said}
              </option>
            ))}
        </Control>
      </label>
      {fault && (
        <small role="alert" id={`f${at}`}>
          {fault}
        </small>
      )}
    </div>
  )
}

export const Revision = ({ edits, reader, ...changing }: Changing & { readonly reader: Reader }): VNode => {
  const { draft, faults, change } = changing
  const inside = useRef<HTMLDivElement>(null)
  useEffect(() => inside.current?.querySelector<HTMLElement>('input,select,textarea')?.focus(), [])
  const fields = (some: readonly CardEdit[]): VNode[] =>
    some.map((edit) => <Field key={edit.at} edit={edit} {...changing} reader={reader} />)
  return (
    <div class="revision" ref={inside} role="group" aria-label={reader.words.$revise}>
      {faults.map(
        ({ at, text }) =>
          !at && (
            <Note tone="danger" sign="!" alert>
              {text}
            </Note>
          ),
      )}
      {fields(edits.fields)}
      {edits.lists.map(({ label, removable, members }) => (
        <>
          <b>
            <Marked text={label} reader={reader} />
          </b>
          {members.map(({ at, label: name, fields: own }) => {
            const out = draft.out.includes(at)
            const marked = <Marked text={name} reader={reader} />
            // A member that is itself a value is read in its field.
            const single = own[0]?.at === at
            return (
              <div class={single ? 'member single' : 'member'} role="group" aria-label={name}>
                {removable ? (
                  <label>
                    <input
                      type="checkbox"
                      aria-label={name}
                      checked={!out}
                      onInput={() =>
                        change({ ...draft, out: out ? draft.out.filter((each) => each !== at) : [...draft.out, at] })
                      }
                    />{' '}
                    {out ? <del>{marked}</del> : !single && marked}
                  </label>
                ) : (
                  marked
                )}
                {!out && fields(own)}
              </div>
            )
          })}
        </>
      ))}
    </div>
  )
}
