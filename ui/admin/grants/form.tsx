// The terms of a grant. Whoever writes a condition sees at once what is wrong with it, by name and place, and
// whether it still covers the call that it was made from; nothing is given before the button says so.
import type { VNode } from 'preact'
import { Note } from '../../parts/alert.tsx'
import { Button } from '../../parts/buttons.tsx'
import { Marked } from '../../parts/marked.tsx'
import { SelectField } from '../../parts/select-field.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { troubleText, type Trouble } from '../answer.ts'
import type { AdminContext } from '../context.ts'
import { useFormState } from '../form-state.ts'
import type { Grant, GrantableTool, GrantCheck } from '../shapes.ts'
import { periods, timesText } from './words.ts'

export interface Terms {
  readonly tool: string
  readonly tenant: string
  readonly subject: string
  readonly everyone: boolean
  readonly condition: string
  readonly times: string
  readonly per: Grant['per']
  readonly until: string
  readonly note: string
}

interface FormProps {
  readonly app: AdminContext
  readonly start: Terms
  /** The tools to choose from; one where it is settled. */
  readonly tools: readonly GrantableTool[]
  /** The approval that it is given from. */
  readonly approvalId?: string
  /** What the proposed condition leaves free. */
  readonly free?: readonly string[]
  /** `YYYY-MM-DD` */
  readonly latest?: string
  readonly onGiven: (grant: Grant) => void
  readonly onCancel: () => void
}

interface State {
  readonly terms: Terms
  readonly busy: boolean
  readonly trouble: Trouble | undefined
  readonly checked: GrantCheck | undefined
}

const bodyOf = ({ terms, approvalId }: { readonly terms: Terms; readonly approvalId: string | undefined }) => ({
  tool: terms.tool,
  ...(terms.tenant.trim() === '' ? {} : { tenant: terms.tenant.trim() }),
  subject: terms.everyone ? null : terms.subject.trim(),
  condition: terms.condition,
  times: Number(terms.times),
  per: terms.per,
  until: terms.until,
  ...(terms.note.trim() === '' ? {} : { note: terms.note.trim() }),
  ...(approvalId === undefined ? {} : { approval_id: approvalId }),
})

/** Which field the server blames, and where in it. */
const blamed = (trouble: Trouble | undefined): { readonly field?: string; readonly at?: { readonly start: number } } =>
  trouble?.kind === 'refused'
    ? ((trouble.body as { error?: { field?: string; at?: { start: number } } } | undefined)?.error ?? {})
    : {}

export const GrantForm = (props: FormProps): VNode => {
  const { app, start, tools, approvalId, free = [], latest, onGiven, onCancel } = props
  const first: State = { terms: start, busy: false, trouble: undefined, checked: undefined }
  const [{ terms, busy, trouble, checked }, change] = useFormState(first)
  const type = (more: Partial<Terms>): void =>
    change((now) => ({ terms: { ...now.terms, ...more }, checked: undefined }))
  const tool = tools.find(({ name }) => name === terms.tool)
  const wrong = blamed(trouble)
  const ready = terms.tool !== '' && terms.condition.trim() !== '' && (terms.everyone || terms.subject.trim() !== '')

  const send = async (checkOnly: boolean): Promise<void> => {
    change({ busy: true, trouble: undefined })
    const json = { ...bodyOf({ terms, approvalId }), ...(checkOnly ? { check_only: true } : {}) }
    const answer = await app.ask((api) => api.grants.$post({ json }))
    if (!answer.ok) change({ busy: false, trouble: answer.trouble, checked: undefined })
    else if ('grant' in answer.value) onGiven(answer.value.grant)
    else change({ busy: false, trouble: undefined, checked: answer.value })
  }

  return (
    <form
      class="form-sheet grant-form"
      aria-label="Grant"
      onSubmit={(event) => {
        event.preventDefault()
        if (ready && !busy) void send(false)
      }}
    >
      {trouble !== undefined && (
        <Note tone="danger" sign="×" spoken="Error" alert>
          <Marked text={troubleText(trouble)} reader={app.reader} />
        </Note>
      )}
      {checked !== undefined && (
        <Note
          tone={checked.covers_approved_call === false ? 'warning' : 'ok'}
          sign={checked.covers_approved_call === false ? '!' : '✓'}
          alert
        >
          {checked.covers_approved_call === false ? (
            <>
              <b>The condition is valid, but does not cover the call above.</b> Calls like it would still ask.
            </>
          ) : (
            <b>The condition is valid{checked.covers_approved_call === true && ', and covers the call above'}.</b>
          )}
        </Note>
      )}
      {tools.length > 1 && (
        <label class="field">
          <span>Tool</span>
          <select value={terms.tool} onInput={(event) => type({ tool: event.currentTarget.value })}>
            <option value="">Choose…</option>
            {tools.map(({ name, title, risk }) => (
              <option value={name} disabled={risk === 'critical'}>
                {name} — {title}
                {risk === 'critical' && ' (critical: always asks)'}
              </option>
            ))}
          </select>
        </label>
      )}
      <fieldset class="field">
        <legend>Who may call</legend>
        <label class="check">
          <input type="radio" name="who" checked={!terms.everyone} onChange={() => type({ everyone: false })} />
          {approvalId === undefined ? 'One caller:' : <Marked text={terms.subject} reader={app.reader} />}
        </label>
        {approvalId === undefined && (
          <input
            aria-label="Name of the caller"
            value={terms.subject}
            disabled={terms.everyone}
            autoComplete="off"
            spellcheck={false}
            onInput={(event) => type({ subject: event.currentTarget.value })}
          />
        )}
        <label class="check">
          <input type="radio" name="who" checked={terms.everyone} onChange={() => type({ everyone: true })} />
          Everyone of the tenant
        </label>
      </fieldset>
      {approvalId === undefined && app.operator.tenant === null && (
        <TextField label="Tenant" value={terms.tenant} onText={(tenant) => type({ tenant })} hint="Empty: “default”." />
      )}
      <label class="field">
        <span>Condition</span>
        <textarea
          class="code"
          rows={4}
          maxLength={1000}
          spellcheck={false}
          autoCapitalize="off"
          value={terms.condition}
          aria-invalid={wrong.field === 'condition'}
          onInput={(event) => type({ condition: event.currentTarget.value })}
        />
        <small>
          An expression over the arguments, like <code>customer == "ACME" &amp;&amp; total &lt; 500</code>;{' '}
          <code>true</code> is any call.
          {wrong.field === 'condition' &&
            wrong.at !== undefined &&
            ` The mistake is at character ${wrong.at.start + 1}.`}
        </small>
        {tool !== undefined && (
          <small>
            Arguments:{' '}
            <Marked
              text={tool.arguments.map((each) => `${each.name} (${each.type})`).join(', ') || 'none'}
              reader={app.reader}
            />
          </small>
        )}
        {free.length > 0 && (
          <small>
            Proposed without a limit on <Marked text={free.join(', ')} reader={app.reader} />.
          </small>
        )}
      </label>
      <div class="often">
        <TextField
          label="At most"
          type="number"
          min={1}
          max={10_000}
          step={1}
          required
          value={terms.times}
          onText={(times) => type({ times })}
        />
        <SelectField label="times" value={terms.per} options={periods} onPick={(per) => type({ per })} />
        <TextField
          label="Until the end of"
          type="date"
          required
          value={terms.until}
          max={latest}
          onText={(until) => type({ until })}
        />
      </div>
      <TextField
        label="Why"
        value={terms.note}
        maxLength={500}
        spellcheck
        onText={(note) => type({ note })}
        hint="For whoever looks at it later. May stay empty."
      />
      <p>
        Such calls then run without anybody being asked, {timesText(Number(terms.times) || 0, terms.per)}. Each use is
        on record, and it can be revoked at any moment. Critical calls still ask.
      </p>
      <p class="buttons">
        <button type="submit" class="go" disabled={!ready || busy}>
          {busy ? 'One moment…' : 'Create the grant'}
        </button>
        <Button tone="plain" disabled={!ready || busy} onPress={() => void send(true)}>
          Check only
        </Button>
        <Button tone="quiet" onPress={onCancel}>
          Cancel
        </Button>
      </p>
    </form>
  )
}
