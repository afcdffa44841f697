// Every grant with what is left of it, its uses, and the way to end it.
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { Button, Pill, type PillTone } from '../../parts/buttons.tsx'
import { Marked } from '../../parts/marked.tsx'
import { sayDone, type AppProps } from '../context.ts'
import { useLoaded } from '../load.ts'
import { Await, Empty, Section } from '../page.tsx'
import { CodeText, Opens } from '../pieces.tsx'
import { to } from '../route.ts'
import { Sure } from '../sure.tsx'
import { Table } from '../table.tsx'
import { Ago } from '../times.tsx'
import { GrantForm, type Terms } from './form.tsx'
import type { Grant } from '../shapes.ts'
import { timesText } from './words.ts'

const tones: Readonly<Record<Grant['state'], PillTone>> = {
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

const NewGrant = ({ app, onGiven, onClose }: AppProps<{ onGiven: () => void; onClose: () => void }>): VNode => {
  const loading = useLoaded(app, 'grants/tools', (api) => api.grants.tools.$get())
  const given = (grant: Grant): void => {
    onClose()
    app.say(`${grant.tool} may now be called ${timesText(grant.times, grant.per)} without asking.`, 'ok')
    onGiven()
  }
  return (
    <Await loading={loading}>
      {({ tools }) =>
        tools.length === 0 ? (
          <Empty title="No server offers a tool that changes something" />
        ) : (
          <GrantForm app={app} start={emptyTerms(app.now())} tools={tools} onGiven={given} onCancel={onClose} />
        )
      }
    </Await>
  )
}

/** The last uses, asked for when somebody wants to see them. */
const Uses = ({ grant, app }: AppProps<{ grant: Grant }>): VNode => {
  const param = { id: grant.id }
  const loading = useLoaded(app, `grant ${grant.id} ${grant.used_in_all}`, (api) => api.grants[':id'].$get({ param }))
  return (
    <Await loading={loading}>
      {({ uses }) => (
        <ul class="grant-uses minor">
          {uses.map((use) => (
            <li>
              <a href={to('activity', use.plan_id)}>
                <Ago iso={use.at} app={app} />
              </a>{' '}
              by <Marked text={use.subject} reader={app.reader} />
              {use.given_back_at !== null && ', not counted: nothing had happened'}
            </li>
          ))}
        </ul>
      )}
    </Await>
  )
}

const UsesCell = ({ grant, app }: AppProps<{ grant: Grant }>): VNode => {
  const [open, setOpen] = useState(false)
  if (grant.used_in_all === 0) return <span class="unset">never</span>
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {grant.used_in_all} <span class="sr">uses of {grant.tool}</span>
      </summary>
      {open && <Uses grant={grant} app={app} />}
    </details>
  )
}

export const GrantsSection = ({ app }: AppProps): VNode => {
  const [all, setAll] = useState(false)
  const loading = useLoaded(app, `grants ${all}`, (api) =>
    api.grants.$get({ query: { limit: '200', ...(all ? {} : { state: 'active' }) } }),
  )
  const { roles } = app.operator
  const gives = roles.some(({ kind }) => kind !== 'viewer')
  const renew = async ({ id }: Grant): Promise<void> => {
    sayDone(app, await app.ask((api) => api.grants[':id'].renew.$post({ param: { id } })), `${id} is active again.`)
    loading.reload()
  }
  const revoke = async ({ id }: Grant): Promise<void> => {
    sayDone(app, await app.ask((api) => api.grants[':id'].$delete({ param: { id } })), `${id} is revoked.`)
    loading.reload()
  }
  return (
    <Section
      id="grants"
      title="Grants"
      lead="Calls that run without an approval: under a condition, a limited number of times, until a date. Critical calls always ask."
      actions={
        <Button tone="quiet" onPress={() => setAll(!all)}>
          {all ? 'Show active grants only' : 'Show ended grants too'}
        </Button>
      }
    >
      <Await loading={loading}>
        {({ grants }) => (
          <>
            <Table
              label="Grants"
              rows={grants}
              empty={
                <Empty title={all ? 'There are no grants' : 'There are no active grants'}>
                  Create one here or below an approval, so that nobody has to approve the same harmless call again and
                  again.
                </Empty>
              }
              id={(grant) => grant.id}
              columns={[
                {
                  label: 'Tool',
                  wide: true,
                  cell: (grant) => (
                    <>
                      <a href={to('tools', grant.tool)}>
                        <CodeText text={grant.tool} reader={app.reader} />
                      </a>
                      <small class="below">
                        if <CodeText text={grant.condition} reader={app.reader} />
                      </small>
                      {grant.note !== null && (
                        <small class="below">
                          <Marked text={grant.note} reader={app.reader} />
                        </small>
                      )}
                    </>
                  ),
                },
                {
                  label: 'Caller',
                  cell: (grant) => (
                    <>
                      {grant.subject === null ? 'everyone' : <Marked text={grant.subject} reader={app.reader} />}
                      <small class="below">
                        tenant <Marked text={grant.tenant} reader={app.reader} />
                      </small>
                    </>
                  ),
                },
                {
                  label: 'Uses left',
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
                { label: 'Used', cell: (grant) => <UsesCell grant={grant} app={app} /> },
                {
                  label: 'State',
                  cell: (grant) => (
                    <>
                      <Pill tone={tones[grant.state]}>{grant.state}</Pill>
                      <small class="below">
                        {grant.revoked === null ? (
                          <>
                            {grant.state === 'expired' ? 'ended' : 'ends'} <Ago iso={grant.until} app={app} />
                          </>
                        ) : (
                          <>
                            by <Marked text={grant.revoked.by} reader={app.reader} />{' '}
                            <Ago iso={grant.revoked.at} app={app} />
                          </>
                        )}
                      </small>
                      {grant.suspended_because !== undefined && (
                        <small class="below">
                          <Marked text={grant.suspended_because} reader={app.reader} />
                        </small>
                      )}
                    </>
                  ),
                },
                {
                  label: 'Created',
                  cell: (grant) => (
                    <>
                      <Marked text={grant.given_by} reader={app.reader} />
                      <small class="below">
                        {grant.approval_id === null ? (
                          <Ago iso={grant.given_at} app={app} />
                        ) : (
                          <a href={to('approvals', grant.approval_id)}>
                            <Ago iso={grant.given_at} app={app} />
                          </a>
                        )}
                      </small>
                    </>
                  ),
                },
                {
                  label: 'Revoke',
                  cell: (grant) =>
                    gives &&
                    grant.revoked === null &&
                    grant.state !== 'expired' && (
                      <>
                        {grant.state === 'suspended' && (
                          <Sure label="Renew" sure="Renew for the tool as it is now" onSure={() => renew(grant)} />
                        )}
                        <Sure label="Revoke" sure={`Revoke ${grant.tool}`} onSure={() => revoke(grant)} />
                      </>
                    ),
                },
              ]}
            />
            {gives && (
              <Opens label="New grant…">
                {(close) => <NewGrant app={app} onGiven={loading.reload} onClose={close} />}
              </Opens>
            )}
          </>
        )}
      </Await>
    </Section>
  )
}
