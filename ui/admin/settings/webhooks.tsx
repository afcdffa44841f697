// Whether notifications arrive is only noticed when one is missing: how the last one went, and a button that sends one.
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { Button, Pill } from '../../parts/buttons.tsx'
import { Marked } from '../../parts/marked.tsx'
import { troubleText } from '../answer.ts'
import { isAdmin, type AppProps } from '../context.ts'
import { useLoaded } from '../load.ts'
import { Await, Empty, Section } from '../page.tsx'
import type { Webhook } from '../shapes.ts'
import { Table } from '../table.tsx'
import { Ago } from '../times.tsx'

const Test = ({ webhook, app, onTested }: AppProps<{ webhook: Webhook; onTested: () => void }>): VNode => {
  const [busy, setBusy] = useState(false)
  const test = async (): Promise<void> => {
    setBusy(true)
    const answer = await app.ask((api) => api.webhooks[':id'].test.$post({ param: { id: webhook.id } }))
    setBusy(false)
    onTested()
    if (!answer.ok) return app.say(troubleText(answer.trouble), 'danger')
    const tested = answer.value
    if (tested.delivered) app.say(`It arrived: status ${tested.status} after ${tested.ms} ms.`, 'ok')
    else app.say(`It did not arrive: ${tested.message}`, 'danger')
  }
  return (
    <Button tone="plain" disabled={busy} onPress={() => void test()}>
      {busy ? 'Sending…' : 'Send a test'}
    </Button>
  )
}

const Last = ({ webhook, app }: AppProps<{ webhook: Webhook }>): VNode => {
  const { last_delivery: delivery, last_failure: failure } = webhook
  return (
    <>
      {delivery === null ? (
        <span class="unset">nothing was delivered yet</span>
      ) : (
        <span>
          <Pill tone="ok">arrived</Pill> {delivery.event} <Ago iso={delivery.at} app={app} />
        </span>
      )}
      {failure !== null && (
        <small class="below">
          <Pill tone="danger">{failure.given_up ? 'gave up' : 'failed'}</Pill> {failure.event}{' '}
          <Ago iso={failure.at} app={app} />: <Marked text={failure.message} reader={app.reader} />
        </small>
      )}
      {webhook.waiting > 0 && <small class="below">{webhook.waiting} waiting to be sent</small>}
    </>
  )
}

export const WebhooksSection = ({ app }: AppProps): VNode => {
  const loading = useLoaded(app, 'webhooks', (api) => api.webhooks.$get())
  const { state } = loading
  // A server without any has no such address.
  const none = state.at === 'failed' && state.trouble.kind === 'refused' && state.trouble.status === 404
  return (
    <Section
      id="webhooks"
      title="Webhooks"
      lead="Addresses that are notified of approvals and other events. They are set in the settings file."
    >
      {none ? (
        <Empty title="There are no webhooks" />
      ) : (
        <Await loading={loading}>
          {({ webhooks }) => (
            <Table
              label="Webhooks"
              rows={webhooks}
              empty={
                <Empty title="There are no webhooks">
                  Add them under <code>webhooks</code> in the settings file, or under a tenant.
                </Empty>
              }
              id={(webhook) => webhook.id}
              columns={[
                {
                  label: 'Address',
                  cell: (webhook) => (
                    <>
                      <Marked text={webhook.url} reader={app.reader} />
                      <small class="below">
                        {webhook.tenant === null ? (
                          'all tenants'
                        ) : (
                          <Marked text={`tenant ${webhook.tenant}`} reader={app.reader} />
                        )}
                        {webhook.signed ? ', signed' : ', not signed'}
                      </small>
                    </>
                  ),
                },
                { label: 'Events', cell: (webhook) => webhook.events.join(', ') },
                { label: 'Last delivery', wide: true, cell: (webhook) => <Last webhook={webhook} app={app} /> },
                {
                  label: 'Test',
                  cell: (webhook) =>
                    isAdmin(app.operator) ? (
                      <Test webhook={webhook} app={app} onTested={loading.reload} />
                    ) : (
                      <span class="unset">for admins</span>
                    ),
                },
              ]}
            />
          )}
        </Await>
      )}
    </Section>
  )
}
