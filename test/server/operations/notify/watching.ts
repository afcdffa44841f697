// A watch with the webhook that it tells, and what there is to be told of.
import { createWatch } from '../../../../server/operations/notify/watch.ts'
import { toWebhooks } from '../../../../server/operations/notify/webhook.ts'
import type { ApprovalDraft } from '../../../../server/model/approvals.ts'
import type { Store } from '../../../../server/store/store.ts'
import { draft } from '../../store/store-fixture.ts'

const [webhook] = toWebhooks([
  {
    url: 'https://hooks.example/x',
    events: ['approval.waiting', 'approval.expiring', 'feedback.high', 'rationale.missing'],
    privateNetwork: false,
  },
])

/** A watch over this store, as the server starts one. */
export const watchOf = (store: Store, now: () => number, graceUntil?: string) =>
  createWatch({
    store,
    webhooks: webhook === undefined ? [] : [webhook],
    where: () => ({ address: 'https://c.example', options: '', variables: [] }),
    redact: (text) => text,
    now,
    graceUntil,
    full: () => {
      throw new Error('There is room.')
    },
  })

/** What is to be told, oldest first; each is told by looking. */
export async function toldBy(store: Store): Promise<readonly { readonly event: string; readonly body: string }[]> {
  const all: { event: string; body: string }[] = []
  for (;;) {
    const held = await store.notifications.hold(webhook?.id ?? '', 'me', 1000)
    if (held === undefined) return all
    all.push({ event: held.event, body: held.body })
    await store.notifications.end(held.id, 'me', { kind: 'delivered', status: 200 })
  }
}

/** An approval that waits. */
export async function waits(store: Store, id: string, ttlMs: number): Promise<void> {
  await store.plans.open(draft({ id: `pl_${id}`, ticketHash: id, digest: id, ttlMs }))
  const asked: ApprovalDraft = {
    id: `ap_${id}`,
    planId: `pl_${id}`,
    digest: id,
    principal: { tenant: 'default', subject: 'ada' },
    client: 'test',
    tool: 'orders_delete',
    risk: 'critical',
    summary: 'Deletes an order.',
    rationale: 'Nobody else is told of this.',
    card: '{}',
    stepUp: false,
    approvers: 1,
    fourEyes: true,
    ttlMs,
  }
  await store.approvals.request(asked)
}
