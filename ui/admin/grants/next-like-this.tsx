// Below an approval: the next calls like it. It decides nothing about the call above; that one keeps its own button.
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../../parts/buttons.tsx'
import { troubleText } from '../answer.ts'
import type { AdminContext } from '../context.ts'
import { useLoaded } from '../load.ts'
import { Await, Section } from '../page.tsx'
import { to } from '../route.ts'
import { GrantForm } from './form.tsx'
import type { Grant } from '../shapes.ts'
import { timesText } from './words.ts'

interface NextProps {
  readonly approval: {
    readonly id: string
    readonly state: string
    readonly risk: string
    readonly you: { readonly approve: { readonly may: boolean } }
  }
  readonly app: AdminContext
}

/** Nothing where it could not be given: critical calls, and those that this operator may not approve. */
export const NextLikeThis = ({ approval, app }: NextProps): VNode | null => {
  const [step, go] = useState<'closed' | 'open' | Grant>('closed')
  const may = approval.you.approve.may || approval.state === 'approved'
  if (!may || approval.risk === 'critical' || approval.state === 'rejected') return null
  if (step === 'closed')
    return (
      <p class="minor">
        <Button tone="plain" onPress={() => go('open')}>
          Allow the next calls like this…
        </Button>
      </p>
    )
  if (step === 'open')
    return (
      <Section
        title="Allow the next calls like this"
        lead={
          approval.state === 'pending'
            ? 'This call still needs its decision above. Later calls that match run without one.'
            : 'Later calls that match run without a decision.'
        }
      >
        <Proposed approval={approval} app={app} onGiven={go} onCancel={() => go('closed')} />
      </Section>
    )
  return (
    <p class="minor" role="status">
      Grant created: {timesText(step.times, step.per)}, until {step.until.slice(0, 10)}.{' '}
      <a href={`${to('settings')}#grants`}>Grants</a>
    </p>
  )
}

const Proposed = ({
  approval,
  app,
  onGiven,
  onCancel,
}: NextProps & { readonly onGiven: (grant: Grant) => void; readonly onCancel: () => void }): VNode => {
  const param = { id: approval.id }
  const loading = useLoaded(app, `proposal ${param.id}`, (api) =>
    api.approvals[':id']['grant-proposal'].$get({ param }),
  )
  const { state } = loading
  // No fault of anybody's: what cannot be given is said in words.
  if (state.at === 'failed' && state.trouble.kind === 'refused' && state.trouble.status === 409)
    return <p class="hint">{troubleText(state.trouble)}</p>
  return (
    <Await loading={loading}>
      {(proposal) => (
        <GrantForm
          app={app}
          start={{
            tool: proposal.tool,
            tenant: proposal.tenant,
            subject: proposal.subject,
            everyone: false,
            condition: proposal.condition,
            times: String(proposal.times),
            per: proposal.per,
            until: proposal.until,
            note: '',
          }}
          tools={[
            {
              name: proposal.tool,
              title: proposal.tool_title,
              risk: proposal.risk_up_to,
              arguments: proposal.arguments,
            },
          ]}
          approvalId={proposal.approval_id}
          free={proposal.free}
          latest={proposal.latest_until}
          onGiven={onGiven}
          onCancel={onCancel}
        />
      )}
    </Await>
  )
}
