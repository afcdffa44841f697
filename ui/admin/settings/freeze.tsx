// The one switch for a bad day. It takes a reason, because every agent and every card that is stopped shows it.
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { Note } from '../../parts/alert.tsx'
import { Button } from '../../parts/buttons.tsx'
import { Marked } from '../../parts/marked.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { troubleText } from '../answer.ts'
import { isAdmin, sayDone, type AppProps } from '../context.ts'
import { useLoaded } from '../load.ts'
import { Await, Section } from '../page.tsx'
import type { Freeze } from '../shapes.ts'
import { Sure } from '../sure.tsx'
import { Ago } from '../times.tsx'

const FreezeForm = ({ app, onFrozen }: AppProps<{ onFrozen: () => void }>): VNode => {
  const [reason, setReason] = useState('')
  const [tenant, setTenant] = useState(app.operator.tenant ?? '')
  const ready = reason.trim().length >= 3
  const whom = tenant.trim() === '' ? 'every tenant' : tenant.trim()
  const freeze = async (): Promise<void> => {
    const json = { reason: reason.trim(), ...(tenant.trim() === '' ? {} : { tenant: tenant.trim() }) }
    const answer = await app.ask((api) => api.freeze.$post({ json }))
    if (!answer.ok) return app.say(troubleText(answer.trouble), 'danger')
    app.say(`Frozen: ${whom}. ${answer.value.revoked_plans} open previews were withdrawn.`, 'ok')
    setReason('')
    onFrozen()
  }
  return (
    <div class="form-sheet">
      {app.operator.tenant === null && (
        <TextField label="Tenant" value={tenant} onText={setTenant} hint="Empty: every tenant." />
      )}
      <TextField
        label="Reason"
        value={reason}
        maxLength={500}
        spellcheck
        onText={setReason}
        hint="Agents and cards show it."
      />
      <p class="hint">
        All changes by agents stop at once: open previews are withdrawn, and waiting approvals are rejected. Reading
        goes on.
      </p>
      {ready ? (
        <Sure label="Freeze" sure={`Freeze ${whom}`} onSure={freeze} />
      ) : (
        <Button tone="plain" disabled onPress={() => undefined}>
          Freeze…
        </Button>
      )}
    </div>
  )
}

export const FreezeSection = ({ app }: AppProps): VNode => {
  const loading = useLoaded(app, 'freeze', (api) => api.freeze.$get())
  const may = isAdmin(app.operator)
  const lift = async ({ tenant }: Freeze): Promise<void> => {
    const answer = await app.ask((api) => api.unfreeze.$post({ json: tenant === null ? {} : { tenant } }))
    sayDone(app, answer, 'Unfrozen. Previews that were withdrawn stay withdrawn.')
    loading.reload()
  }
  return (
    <Section id="freeze" title="Freeze" lead="For emergencies: stops every change by agents at once.">
      <Await loading={loading}>
        {({ freezes }) => (
          <>
            {freezes.length === 0 && <p>Nothing is frozen: agents can make changes as usual.</p>}
            {freezes.map((freeze) => (
              <Note key={freeze.tenant ?? ''} tone="danger" sign="!" spoken="Danger">
                <b>
                  {freeze.tenant === null ? (
                    'Every tenant is frozen.'
                  ) : (
                    <Marked text={`Tenant ${freeze.tenant} is frozen.`} reader={app.reader} />
                  )}
                </b>{' '}
                <Marked text={freeze.reason} reader={app.reader} />
                <small>
                  {' '}
                  By <Marked text={freeze.by} reader={app.reader} /> <Ago iso={freeze.at} app={app} />
                </small>
                {may && (freeze.tenant !== null || app.operator.tenant === null) && (
                  <p class="buttons">
                    <Sure label="Unfreeze" sure="Unfreeze now" onSure={() => lift(freeze)} />
                  </p>
                )}
              </Note>
            ))}
            {may ? (
              <FreezeForm app={app} onFrozen={loading.reload} />
            ) : (
              <p class="hint">Only admins freeze and unfreeze.</p>
            )}
          </>
        )}
      </Await>
    </Section>
  )
}
