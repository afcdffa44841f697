// Values of the call that the person changes before anything is confirmed. The server looks at them while they are written; what
// comes of it is a new preview, and nothing here applies anything.
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Note } from '../parts/alert.tsx'
import { Marked } from '../parts/marked.tsx'
import type { Reader } from '../parts/reader.ts'
import type { CardEdit, CardEdits } from '../../server/model/card-edits.ts'
import type { Draft } from './effects.ts'
import { InlineMarkup } from './inline-markup.tsx'
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
  readonly faults: NonNullable<Revised['faults']>
  /** Something was changed, and the server would preview it. */
  readonly ready: boolean
  readonly sent: boolean
  readonly change: (draft: Draft) => void
  readonly send: () => void
}

/** The changing of an open card; nothing while nothing is changed. */
export const useRevision = (
  { revising }: State,
  view: Extract<View, { kind: 'card' }>,
  act: SheetProps['act'],
): Changing | undefined => {
  const [draft, change] = useState(unchanged)
  const [checked, note] = useState<{ readonly of: Draft; readonly answer: Revised | undefined }>()
  const { edits } = view.card
  const on = revising && edits && canConfirm(view)
  const changed = draft.out.length > 0 || Object.keys(draft.set).length > 0
  useEffect(() => {
    if (!on || !changed) return undefined
    let current = true
    const timer = setTimeout(() => {
      void act.check(draft).then((answer) => current && note({ of: draft, answer }))
    }, REST)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [draft, on])
  if (!on) return undefined
  const answer = changed && checked?.of === draft ? checked.answer : undefined
  return {
    edits,
    draft,
    change,
    faults: answer?.faults ?? [],
    ready: answer?.message !== undefined,
    sent: revising === 'sent',
    send: () => act.send(draft),
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
  return (
    <label class="field">
      <span>
        <Marked text={currency ? `${label} (${currency})` : label} reader={reader} />
      </span>
      {picks ? (
        <select {...own}>
          {(optional || !given) && <option value="">{words.$notSet}</option>}
          {picks.map(([value, said]) => (
            <option value={value} selected={value === own.value}>
              {said}
            </option>
          ))}
        </select>
      ) : as === 'long' ? (
        <textarea rows={4} {...own} />
      ) : as === 'date' ? (
        <input type="date" {...own} />
      ) : (
        <input inputMode={as === 'number' ? 'decimal' : 'text'} autoComplete="off" {...own} />
      )}
      {fault && <small role="alert">{fault}</small>}
    </label>
  )
}

export const Revision = ({ edits, reader, ...changing }: Changing & { readonly reader: Reader }): VNode => {
  const { draft, faults, sent, change } = changing
  const { words } = reader
  const inside = useRef<HTMLFieldSetElement>(null)
  useEffect(() => inside.current?.querySelector<HTMLElement>('input,select,textarea')?.focus(), [])
  const fields = (some: readonly CardEdit[]): VNode[] =>
    some.map((edit) => <Field key={edit.at} edit={edit} {...changing} reader={reader} />)
  return (
    <fieldset class="revision" ref={inside} disabled={sent}>
      <Note tone="plain" sign="✎">
        <InlineMarkup note={words.$nRevise} />
      </Note>
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
        <fieldset>
          <legend>
            <Marked text={label} reader={reader} />
          </legend>
          {members.map((member) => {
            const out = draft.out.includes(member.at)
            const name = <Marked text={member.label} reader={reader} />
            return (
              <div class={out ? 'member out' : 'member'}>
                {removable ? (
                  <label>
                    <input
                      type="checkbox"
                      checked={!out}
                      onInput={() =>
                        change({
                          ...draft,
                          out: out ? draft.out.filter((at) => at !== member.at) : [...draft.out, member.at],
                        })
                      }
                    />{' '}
                    {name}
                  </label>
                ) : (
                  name
                )}
                {!out && fields(member.fields)}
              </div>
            )
          })}
        </fieldset>
      ))}
    </fieldset>
  )
}
