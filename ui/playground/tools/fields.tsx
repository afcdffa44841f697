// One leaf per kind of field; each takes a value and says what it became. `undefined` is "left out" everywhere.
import type { VNode } from 'preact'
import { useId, useState } from 'preact/hooks'
import { emptyValue, type Field, type Json, type NamedField } from './schema.ts'
import { humanize } from './tool-facts.ts'

interface LeafProps<F extends Field = Field> {
  readonly field: F
  readonly named: NamedField
  readonly id: string
  readonly value: Json
  readonly onChange: (value: Json) => void
}

interface FieldProps {
  readonly named: NamedField
  readonly value: Json
  readonly onChange: (value: Json) => void
}

/** A named field with its label and hint. */
export function FormField({ named, value, onChange }: FieldProps): VNode {
  const id = useId()
  const leaf = { named, id, value, onChange }
  const hint = named.hint !== '' && (
    <p class="hint" id={`${id}-hint`}>
      {named.hint}
    </p>
  )
  const { field } = named
  if (field.kind === 'group' || field.kind === 'rows')
    return (
      <fieldset class="field">
        <legend>
          {humanize(named.name)} <Optional named={named} />
        </legend>
        {hint}
        {field.kind === 'group' ? <Group {...leaf} field={field} /> : <Rows {...leaf} field={field} />}
      </fieldset>
    )
  return (
    <div class="field">
      <div class="label">
        <label for={id}>
          {humanize(named.name)} <Optional named={named} />
        </label>
        {named.nullable && (
          <button type="button" class="quiet" onClick={() => onChange(value === null ? undefined : null)}>
            {value === null ? 'Do not clear' : 'Clear it'}
          </button>
        )}
      </div>
      {value === null ? (
        <p class="cleared" id={id}>
          Will be cleared (<code>null</code>)
        </p>
      ) : (
        <Leaf {...leaf} field={field} />
      )}
      {hint}
    </div>
  )
}

const Optional = ({ named }: { readonly named: NamedField }): VNode | null =>
  named.required ? null : (
    <span class="optional">
      {named.fallback === undefined ? 'optional' : `default ${JSON.stringify(named.fallback)}`}
    </span>
  )

function Leaf({ field, ...props }: LeafProps): VNode {
  switch (field.kind) {
    case 'text':
      return <TextLeaf {...props} field={field} />
    case 'number':
      return <NumberLeaf {...props} field={field} />
    case 'boolean':
      return <ChoiceLeaf {...props} field={{ kind: 'choice', options: [true, false] }} />
    case 'choice':
      return <ChoiceLeaf {...props} field={field} />
    case 'rows':
      return <Rows {...props} field={field} />
    case 'group':
      return <Group {...props} field={field} />
    case 'json':
      return <JsonLeaf {...props} field={field} />
    default:
      return field satisfies never
  }
}

const shared = ({ id, named }: Pick<LeafProps, 'id' | 'named'>) => ({
  id,
  name: named.name,
  required: named.required,
  'aria-describedby': named.hint === '' ? undefined : `${id}-hint`,
})

function TextLeaf({ field, named, id, value, onChange }: LeafProps<Extract<Field, { kind: 'text' }>>): VNode {
  const common = {
    ...shared({ id, named }),
    value: typeof value === 'string' ? value : '',
    onInput: (event: { readonly currentTarget: { readonly value: string } }) =>
      onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.value),
  }
  if (field.date) return <input type="date" {...common} />
  const length = { minLength: named.minLength, maxLength: named.maxLength }
  if (field.long) return <textarea rows={3} {...common} {...length} />
  return <input type="text" autoComplete="off" spellcheck={false} pattern={named.pattern} {...common} {...length} />
}

function NumberLeaf({ field, named, id, value, onChange }: LeafProps<Extract<Field, { kind: 'number' }>>): VNode {
  return (
    <input
      type="number"
      inputMode={field.integer ? 'numeric' : 'decimal'}
      step={field.integer ? 1 : 'any'}
      min={field.min}
      max={field.max}
      {...shared({ id, named })}
      value={typeof value === 'number' ? value : ''}
      onInput={({ currentTarget: { valueAsNumber } }) =>
        onChange(Number.isNaN(valueAsNumber) ? undefined : valueAsNumber)
      }
    />
  )
}

function ChoiceLeaf({ field, named, id, value, onChange }: LeafProps<Extract<Field, { kind: 'choice' }>>): VNode {
  const chosen = field.options.findIndex((option) => JSON.stringify(option) === JSON.stringify(value))
  const label = (option: Json): string =>
    typeof option === 'string' ? option : option === true ? 'Yes' : option === false ? 'No' : JSON.stringify(option)
  return (
    <select
      {...shared({ id, named })}
      value={chosen < 0 ? '' : String(chosen)}
      onChange={({ currentTarget }) =>
        onChange(currentTarget.value === '' ? undefined : field.options[Number(currentTarget.value)])
      }
    >
      {(!named.required || chosen < 0) && <option value="">Leave out</option>}
      {field.options.map((option, index) => (
        <option key={index} value={String(index)}>
          {label(option)}
        </option>
      ))}
    </select>
  )
}

function JsonLeaf({ named, id, value, onChange }: LeafProps<Extract<Field, { kind: 'json' }>>): VNode {
  return <JsonBox {...shared({ id, named })} rows={3} value={value} wrong="This is not JSON yet." onChange={onChange} />
}

interface JsonBoxProps extends ReturnType<typeof shared> {
  readonly rows: number
  readonly value: Json
  /** Said while `fits` does not hold of what is typed. */
  readonly wrong: string
  readonly fits?: (value: Json) => boolean
  readonly onChange: (value: Json) => void
}

/** JSON to write, handed on whenever it is whole. */
export function JsonBox({ value, wrong, fits = () => true, onChange, ...area }: JsonBoxProps): VNode {
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value, null, 2))
  return (
    <textarea
      {...area}
      class="code"
      spellcheck={false}
      placeholder="JSON"
      value={text}
      onInput={({ currentTarget }) => {
        setText(currentTarget.value)
        const parsed = readJson(currentTarget.value)
        const good = parsed.ok && fits(parsed.value)
        currentTarget.setCustomValidity(good ? '' : wrong)
        if (good) onChange(parsed.value)
      }}
    />
  )
}

/** Reads JSON as a person types it; nothing typed is nothing given. */
function readJson(text: string): { readonly ok: true; readonly value: Json } | { readonly ok: false } {
  if (text.trim() === '') return { ok: true, value: undefined }
  try {
    return { ok: true, value: JSON.parse(text) as Json }
  } catch {
    return { ok: false }
  }
}

function Group({ field, value, onChange }: LeafProps<Extract<Field, { kind: 'group' }>>): VNode {
  const known = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, Json>>) : {}
  return (
    <div class="group">
      {field.fields.map((one) => (
        <FormField
          key={one.name}
          named={one}
          value={known[one.name]}
          onChange={(next) => onChange({ ...known, [one.name]: next })}
        />
      ))}
    </div>
  )
}

/** An entry of a list: it has no name, and nothing is said of it but what it is. */
const unlimited = {
  hint: '',
  required: true,
  nullable: false,
  fallback: undefined,
  minLength: undefined,
  maxLength: undefined,
  pattern: undefined,
}

function Rows({ field, named, value, onChange }: LeafProps<Extract<Field, { kind: 'rows' }>>): VNode {
  const rows = Array.isArray(value) ? (value as readonly Json[]) : []
  const what = humanize(named.name).toLowerCase().replace(/s$/, '')
  const item: NamedField = { ...unlimited, name: what, field: field.item }
  return (
    <div class="items">
      {rows.map((row, index) => (
        <div class="row" key={index} role="group" aria-label={`${what} ${index + 1}`}>
          {field.item.kind === 'group' ? (
            <Group
              field={field.item}
              named={item}
              id=""
              value={row}
              onChange={(next) => onChange(rows.map((one, at) => (at === index ? next : one)))}
            />
          ) : (
            <FormField
              named={{ ...item, name: `${what} ${index + 1}` }}
              value={row}
              onChange={(next) => onChange(rows.map((one, at) => (at === index ? next : one)))}
            />
          )}
          <button
            type="button"
            class="quiet remove"
            aria-label={`Remove ${what} ${index + 1}`}
            disabled={rows.length <= field.min}
            onClick={() => onChange(rows.filter((_, at) => at !== index))}
          >
            Remove
          </button>
        </div>
      ))}
      <button type="button" class="small" onClick={() => onChange([...rows, emptyValue(field.item)])}>
        Add {what}
      </button>
    </div>
  )
}
