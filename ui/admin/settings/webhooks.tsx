// Whether notifications arrive is only noticed when one is missing: how the last one went, and a button that sends one.
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { Button, Pill } from '../../parts/buttons.tsx'
import { Marked } from '../../parts/marked.tsx'
import { troubleText } from '../answer.ts'
import { isAdmin, type AdminContext } from '../desk.ts'
import { useLoaded } from '../load.ts'
import { Await, Empty, Section } from '../page.tsx'
import { Table } from '../table.tsx'
import { Ago } from '../times.tsx'

/** As `server/operations/notify/webhook-status.ts` says it. */
interface WebhookView {
  readonly id: string
  readonly tenant: string | null
  readonly url: string
  readonly events: readonly string[]
  readonly signed: boolean
  readonly waiting: number
  readonly given_up: number
  readonly last_delivery: { readonly at: string; readonly event: string; readonly status: number | null } | null
  readonly last_failure: {
    readonly at: string
    readonly event: string
    readonly message: string
    readonly given_up: boolean
  } | null
}

interface Tested {
  readonly delivered: boolean
  readonly status: number | null
  readonly message?: string
  readonly ms: number
}

const Test = ({
  webhook,
  desk,
  onTested,
}: {
  readonly webhook: WebhookView
  readonly desk: AdminContext
  readonly onTested: () => void
}): VNode => {
  const [busy, setBusy] = useState(false)
  const test = async (): Promise<void> => {
    setBusy(true)
    const answer = await desk.client.post<Tested>(`/webhooks/${encodeURIComponent(webhook.id)}/test`)
    setBusy(false)
    onTested()
    if (!answer.ok) return desk.say(troubleText(answer.trouble), 'danger')
    const { delivered, status, message, ms } = answer.value
    if (delivered) desk.say(`It arrived: status ${status ?? 'unknown'} after ${ms} ms.`, 'ok')
    else desk.say(`It did not arrive: ${message ?? `status ${status ?? 'unknown'}`}`, 'danger')
  }
  return (
    <Button tone="plain" disabled={busy} onPress={() => void test()}>
      {busy ? 'Sending…' : 'Send a test'}
    </Button>
  )
}

const Last = ({ webhook, desk }: { readonly webhook: WebhookView; readonly desk: AdminContext }): VNode => {
  const { last_delivery: delivery, last_failure: failure } = webhook
  return (
    <>
      {delivery === null ? (
        <span class="unset">nothing has arrived yet</span>
      ) : (
        <span>
          <Pill tone="ok">arrived</Pill> {delivery.event} <Ago iso={delivery.at} desk={desk} />
        </span>
      )}
      {failure !== null && (
        <small class="below">
          <Pill tone="danger">{failure.given_up ? 'given up' : 'failed'}</Pill> {failure.event}{' '}
          <Ago iso={failure.at} desk={desk} />: <Marked text={failure.message} reader={desk.reader} />
        </small>
      )}
      {webhook.waiting > 0 && <small class="below">{webhook.waiting} wait to be sent</small>}
    </>
  )
}

export const WebhooksSection = ({ desk }: { readonly desk: AdminContext }): VNode => {
  const loading = useLoaded('webhooks', () =>
    desk.client.get<{ readonly webhooks: readonly WebhookView[] }>('/webhooks'),
  )
  const { state } = loading
  // A server without any has no such address.
  const none = state.at === 'failed' && state.trouble.kind === 'refused' && state.trouble.status === 404
  return (
    <Section
      id="webhooks"
      title="Webhooks"
      lead="Who is told that an approval waits. They are set in the settings file."
    >
      {none ? (
        <Empty title="There are no webhooks" />
      ) : (
        <Await loading={loading}>
          {({ webhooks }) =>
            webhooks.length === 0 ? (
              <Empty title="There are no webhooks">
                Add them under <code>webhooks</code> in the settings file, or under a tenant.
              </Empty>
            ) : (
              <Table
                label="Webhooks"
                rows={webhooks}
                id={(webhook) => webhook.id}
                columns={[
                  {
                    key: 'url',
                    label: 'Address',
                    cell: (webhook) => (
                      <>
                        <Marked text={webhook.url} reader={desk.reader} />
                        <small class="below">
                          {webhook.tenant === null ? (
                            'all tenants'
                          ) : (
                            <Marked text={`tenant ${webhook.tenant}`} reader={desk.reader} />
                          )}
                          {webhook.signed ? ', signed' : ', not signed'}
                        </small>
                      </>
                    ),
                  },
                  { key: 'events', label: 'Told of', cell: (webhook) => webhook.events.join(', ') },
                  { key: 'last', label: 'Last', wide: true, cell: (webhook) => <Last webhook={webhook} desk={desk} /> },
                  {
                    key: 'test',
                    label: 'Test',
                    cell: (webhook) =>
                      isAdmin(desk.operator) ? (
                        <Test webhook={webhook} desk={desk} onTested={loading.reload} />
                      ) : (
                        <span class="unset">admins</span>
                      ),
                  },
                ]}
              />
            )
          }
        </Await>
      )}
    </Section>
  )
}
