// Filling this form is "the agent's call". Countersign's own three parameters are what an agent fills by itself, so
// they are tucked away: a person who tries a tool thinks about its own arguments first.
import type { VNode } from 'preact'
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { FormField, JsonBox } from './fields.tsx'
import { emptyValue, fieldsOf, settle, type Json, type NamedField } from './schema.ts'
import { RiskMark } from './risk-mark.tsx'
import type { ToolFacts } from './tool-facts.ts'

type Args = Readonly<Record<string, Json>>

interface ToolFormProps {
  readonly tool: ToolFacts
  readonly initial: Args
  readonly busy: boolean
  readonly onCall: (args: Args) => void
  readonly onBack: () => void
}

const isOurs = (field: NamedField): boolean => /^(?:countersign_)?(?:preview|ticket)$/.test(field.name)

/** A form for one tool, or its arguments as JSON. */
export function ToolForm({ tool, initial, busy, onCall, onBack }: ToolFormProps): VNode {
  const fields = useMemo(() => fieldsOf(tool.inputSchema), [tool])
  const group = { kind: 'group', fields: fields ?? [] } as const
  const [args, setArgs] = useState<Args>(() => ({ ...(emptyValue(group) as Args), ...initial }))
  const [raw, setRaw] = useState(fields === undefined)
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  const settled = (): Args => (raw ? args : (settle(group, args) as Args))
  const draw = (field: NamedField): VNode => (
    <FormField
      key={field.name}
      named={field}
      value={args[field.name]}
      onChange={(value) => setArgs((known) => ({ ...known, [field.name]: value }))}
    />
  )
  return (
    <form
      class="tool-form"
      aria-label={`Call ${tool.title}`}
      onSubmit={(event) => {
        event.preventDefault()
        onCall(settled())
      }}
    >
      <div class="bar">
        <button type="button" class="quiet" onClick={onBack}>
          ← All tools
        </button>
        {fields !== undefined && (
          <button
            type="button"
            class="quiet"
            onClick={() => {
              setArgs(settled())
              setRaw(!raw)
            }}
          >
            {raw ? 'Edit as form' : 'Edit as JSON'}
          </button>
        )}
      </div>
      <header>
        <h2 ref={heading} tabIndex={-1}>
          {tool.title}
        </h2>
        <p class="sub">
          <code>{tool.name}</code> <RiskMark tool={tool} />
        </p>
        {tool.description !== '' && <Description text={tool.description} />}
      </header>
      {raw ? (
        <div class="field">
          <label for={id}>Arguments as JSON</label>
          <JsonBox
            id={id}
            name="arguments"
            required
            aria-describedby={undefined}
            rows={14}
            value={settled()}
            wrong="The arguments are one JSON object."
            fits={(value) => typeof value === 'object' && value !== null}
            onChange={(value) => setArgs(value as Args)}
          />
        </div>
      ) : (
        <>
          {fields?.filter((field) => !isOurs(field)).map(draw)}
          {fields?.some(isOurs) === true && (
            <details class="ours">
              <summary>Preview and ticket</summary>
              {fields.filter(isOurs).map(draw)}
            </details>
          )}
        </>
      )}
      <footer>
        <button type="submit" class="go" disabled={busy}>
          {busy ? 'Calling…' : 'Let the agent call it'}
        </button>
      </footer>
    </form>
  )
}

/** What the tool does, in a sentence; what else its description tells a model is there on demand. */
function Description({ text }: { readonly text: string }): VNode {
  const sentences = text.split(/(?<=[.!?])\s+/)
  const about = sentences.find((one) => !/^(?:Before any write|Do NOT guess|Without `preview)/.test(one))
  return (
    <>
      {about !== undefined && <p class="minor">{about}</p>}
      {sentences.length > 1 && (
        <details class="minor">
          <summary>All that the agent is told</summary>
          <p>{text}</p>
        </details>
      )}
    </>
  )
}
