// Every standing permission with what is left of it, its uses, and the way to end it.
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { Button, Pill, type PillTone } from '../../parts/buttons.tsx'
import { Marked } from '../../parts/marked.tsx'
import { troubleText, type Answer } from '../answer.ts'
import type { AdminContext } from '../desk.ts'
import { useLoaded } from '../load.ts'
import { Await, Empty, Section } from '../page.tsx'
import { to } from '../route.ts'
import { Sure } from '../sure.tsx'
import { Table } from '../table.tsx'
import { Ago } from '../times.tsx'
import { GrantForm, type Terms } from './form.tsx'
import { timesText, type GrantableView, type GrantDetail, type GrantView } from './wire.ts'

const tones: Readonly<Record<GrantView['state'], PillTone>> = {
  active: 'ok',
  suspended: 'warn',
  'used-up': 'plain',
  expired: 'plain',
  revoked: 'plain',
}

const dayMs = 24 * 3_600_000

const emptyTerms = (now: number): Terms => ({
  tool: '',
  tenant: '',
  subject: '',
  everyone: false,
  condition: '',
  times: '20',
  per: 'total',
  until: new Date(now + 30 * dayMs).toISOString().slice(0, 10),
  note: '',
})

const New = ({ desk, onGiven }: { readonly desk: AdminContext; readonly onGiven: () => void }): VNode => {
  const [open, setOpen] = useState(false)
  if (!open)
    return (
      <p>
        <Button tone="plain" onPress={() => setOpen(true)}>
          New standing permission…
        </Button>
      </p>
    )
  return (
    <NewForm
      desk={desk}
      onGiven={(grant) => {
        setOpen(false)
        desk.say(`${grant.tool} may now be called ${timesText(grant.times, grant.per)} without asking.`, 'ok')
        onGiven()
      }}
      onCancel={() => setOpen(false)}
    />
  )
}

const NewForm = ({
  desk,
  onGiven,
  onCancel,
}: {
  readonly desk: AdminContext
  readonly onGiven: (grant: GrantView) => void
  readonly onCancel: () => void
}): VNode => {
  const loading = useLoaded('grants/tools', () =>
    desk.client.get<{ readonly tools: readonly GrantableView[] }>('/grants/tools'),
  )
  return (
    <Await loading={loading}>
      {({ tools }) =>
        tools.length === 0 ? (
          <Empty title="No server offers a tool that changes something" />
        ) : (
          <GrantForm
            desk={desk}
            start={emptyTerms(desk.client.now())}
            tools={tools}
            onGiven={onGiven}
            onCancel={onCancel}
          />
        )
      }
    </Await>
  )
}

/** The last uses, asked for when somebody wants to see them. */
const Uses = ({ grant, desk }: { readonly grant: GrantView; readonly desk: AdminContext }): VNode => {
  const loading = useLoaded(`grant ${grant.id} ${grant.used_in_all}`, () =>
    desk.client.get<GrantDetail>(`/grants/${encodeURIComponent(grant.id)}`),
  )
  return (
    <Await loading={loading}>
      {({ uses }) => (
        <ul class="grant-uses">
          {uses.map((use) => (
            <li>
              <a href={to('activity', use.plan_id)}>
                <Ago iso={use.at} desk={desk} />
              </a>{' '}
              by <Marked text={use.subject} reader={desk.reader} />
              {use.given_back_at !== null && ', given back: nothing had happened'}
            </li>
          ))}
        </ul>
      )}
    </Await>
  )
}

const UsesCell = ({ grant, desk }: { readonly grant: GrantView; readonly desk: AdminContext }): VNode => {
  const [open, setOpen] = useState(false)
  if (grant.used_in_all === 0) return <span class="unset">never</span>
  return (
    <details class="grant-used" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {grant.used_in_all} <span class="sr">uses of {grant.tool}</span>
      </summary>
      {open && <Uses grant={grant} desk={desk} />}
    </details>
  )
}

export const GrantsSection = ({ desk }: { readonly desk: AdminContext }): VNode => {
  const [all, setAll] = useState(false)
  const loading = useLoaded(`grants ${all}`, () =>
    desk.client.get<{ readonly grants: readonly GrantView[] }>('/grants', {
      limit: 200,
      ...(all ? {} : { state: 'active' }),
    }),
  )
  const { roles } = desk.operator
  const gives = roles.some(({ kind }) => kind !== 'viewer')
  const done = async (asked: Promise<Answer<unknown>>, words: string): Promise<void> => {
    const answer = await asked
    if (answer.ok) desk.say(words, 'ok')
    else desk.say(troubleText(answer.trouble), 'danger')
    loading.reload()
  }
  const path = (grant: GrantView): string => `/grants/${encodeURIComponent(grant.id)}`
  return (
    <Section
      id="grants"
      title="Standing permissions"
      lead="Calls that need nobody: so many, under a condition, until a date. Never critical ones."
      actions={
        <Button tone="quiet" onPress={() => setAll(!all)}>
          {all ? 'Only those that stand' : 'Also those that ended'}
        </Button>
      }
    >
      <Await loading={loading}>
        {({ grants }) => (
          <>
            {grants.length === 0 ? (
              <Empty title={all ? 'None was ever given' : 'None is active'}>
                Give one at an approval, or here: nobody should approve the same harmless thing forty times.
              </Empty>
            ) : (
              <Table
                label="Standing permissions"
                rows={grants}
                id={(grant) => grant.id}
                columns={[
                  {
                    key: 'tool',
                    label: 'Calls of',
                    wide: true,
                    cell: (grant) => (
                      <>
                        <a href={to('tools', grant.tool)}>
                          <code>
                            <Marked text={grant.tool} reader={desk.reader} />
                          </code>
                        </a>
                        <small class="below">
                          if{' '}
                          <code>
                            <Marked text={grant.condition} reader={desk.reader} />
                          </code>
                        </small>
                        {grant.note !== null && (
                          <small class="below">
                            <Marked text={grant.note} reader={desk.reader} />
                          </small>
                        )}
                      </>
                    ),
                  },
                  {
                    key: 'who',
                    label: 'By',
                    cell: (grant) => (
                      <>
                        {grant.subject === null ? 'everyone' : <Marked text={grant.subject} reader={desk.reader} />}
                        <small class="below">
                          of <Marked text={grant.tenant} reader={desk.reader} />
                        </small>
                      </>
                    ),
                  },
                  {
                    key: 'left',
                    label: 'Left',
                    align: 'end',
                    cell: (grant) => (
                      <>
                        <span class="grant-left">
                          {grant.left} of {grant.times}
                        </span>
                        {grant.per !== 'total' && <small class="below"> a {grant.per}</small>}
                      </>
                    ),
                  },
                  { key: 'used', label: 'Used', cell: (grant) => <UsesCell grant={grant} desk={desk} /> },
                  {
                    key: 'state',
                    label: 'State',
                    cell: (grant) => (
                      <>
                        <Pill tone={tones[grant.state]}>{grant.state}</Pill>
                        <small class="below">
                          {grant.revoked === null ? (
                            <>
                              {grant.state === 'expired' ? 'ended' : 'ends'} <Ago iso={grant.until} desk={desk} />
                            </>
                          ) : (
                            <>
                              by <Marked text={grant.revoked.by} reader={desk.reader} />{' '}
                              <Ago iso={grant.revoked.at} desk={desk} />
                            </>
                          )}
                        </small>
                        {grant.suspended_because !== undefined && (
                          <small class="below">
                            <Marked text={grant.suspended_because} reader={desk.reader} />
                          </small>
                        )}
                      </>
                    ),
                  },
                  {
                    key: 'given',
                    label: 'Given',
                    cell: (grant) => (
                      <>
                        <Marked text={grant.given_by} reader={desk.reader} />
                        <small class="below">
                          {grant.approval_id === null ? (
                            <Ago iso={grant.given_at} desk={desk} />
                          ) : (
                            <a href={to('approvals', grant.approval_id)}>
                              <Ago iso={grant.given_at} desk={desk} />
                            </a>
                          )}
                        </small>
                      </>
                    ),
                  },
                  {
                    key: 'revoke',
                    label: 'Revoke',
                    cell: (grant) =>
                      gives &&
                      grant.revoked === null &&
                      grant.state !== 'expired' && (
                        <>
                          {grant.state === 'suspended' && (
                            <Sure
                              label="Renew"
                              sure="For the tool as it is now"
                              onSure={() => done(desk.client.post(`${path(grant)}/renew`), `${grant.id} stands again.`)}
                            />
                          )}
                          <Sure
                            label="Revoke"
                            sure={`Revoke ${grant.tool}`}
                            onSure={() => done(desk.client.remove(path(grant)), `${grant.id} is revoked.`)}
                          />
                        </>
                      ),
                  },
                ]}
              />
            )}
            {gives && <New desk={desk} onGiven={loading.reload} />}
          </>
        )}
      </Await>
    </Section>
  )
}
