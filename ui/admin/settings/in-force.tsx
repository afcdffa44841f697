// The rules as they are in force, for one tenant or for all: what an operator reads who wonders why something ran, or
// did not. They are changed in the settings file, so nothing here is a field.
import type { VNode } from 'preact'
import { Marked } from '../../parts/marked.tsx'
import { RiskPill } from '../approvals/words.tsx'
import type { PageProps } from '../context.ts'
import { choiceOf, Filters, readFilters } from '../filters.tsx'
import { useLoaded } from '../load.ts'
import { Await, Section } from '../page.tsx'
import { CodeText, Fact } from '../pieces.tsx'
import { to } from '../route.ts'
import type { Settings } from '../shapes.ts'

const proofs: Readonly<Record<string, string>> = {
  none: 'nothing: it runs at once',
  plan: 'the id of its preview, which the agent has',
  ticket: 'the ticket of its preview, which only the card has',
  recorded: 'a click on the card, recorded through a host that is set as trusted',
}

const applyForms: Readonly<Record<Settings['policy']['apply'], string>> = {
  auto: 'all arguments; only the id of the preview where the message would be longer than 8,192 bytes',
  inline: 'all arguments, however long',
  reference: 'only the id of the preview',
}

const callers: Readonly<Record<Settings['access']['credential'], string>> = {
  none: 'everybody who can reach this server',
  secret: 'whoever has the secret of this server',
  tokens: 'whoever has a token of this server',
  jwt: 'whoever has a token of the authorization server',
  program: 'whoever is let in by the program that runs this server',
}

const minutes = (count: number, locale: string | undefined): string => {
  const [value, unit] =
    count % 1_440 === 0 ? [count / 1_440, 'day'] : count % 60 === 0 ? [count / 60, 'hour'] : [count, 'minute']
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}

const InForceFacts = ({ settings, app }: { readonly settings: Settings } & Pick<PageProps, 'app'>): VNode => {
  const { server, policy, guidance, sandbox, files, mail, risk, access, operators, limits, activity } = settings
  const { reader } = app
  const { locale } = reader
  const number = new Intl.NumberFormat(locale)
  const rules = policy.approvals
  const rated = Object.entries(risk)
  return (
    <dl class="facts sheet-rows">
      <Fact label="Server">
        <Marked text={server.name} reader={reader} />
        <small>
          Countersign {server.version} on {server.database}
          {server.address !== null && (
            <>
              , at <Marked text={server.address} reader={reader} />
            </>
          )}
        </small>
      </Fact>
      <Fact label="Who may call">
        {callers[access.credential]}
        {access.issuer !== null && (
          <small>
            <Marked text={access.issuer} reader={reader} />
          </small>
        )}
      </Fact>
      {Object.entries(policy.proof).map(([level, proof]) => (
        <Fact label={`To run, a ${level}-risk call needs`}>{proofs[proof] ?? proof}</Fact>
      ))}
      <Fact label="High-risk calls without a person">
        {policy.auto_approve_high_risk ? (
          <b>
            yes: they run when the agent calls with <code>preview=false</code>
          </b>
        ) : (
          'no'
        )}
        <small>
          {policy.auto_approve_high_risk ? 'It never covers' : 'It would never cover'} critical or forbidden calls,
          those that need a second factor, those that a rule below leaves to several people or to somebody else, nor any
          call in a freeze. Tools that require a preview are previewed first, and nothing runs where the preview is
          blocked or the state has changed since.
        </small>
      </Fact>
      <Fact label="People confirm calls">
        {policy.confirmation === 'rail'
          ? 'on the cards of Countersign'
          : 'in the host’s own prompts, and critical calls on a card'}
      </Fact>
      <Fact label="An approval waits">{minutes(policy.approval_ttl_minutes, locale)}</Fact>
      <Fact label="A preview can be confirmed for">{minutes(policy.plan_ttl_minutes, locale)}</Fact>
      <Fact label="Confirm sends to the chat">{applyForms[policy.apply]}</Fact>
      <Fact label="Who approves">
        {rules.length === 0 ? (
          'one approver, who may also be the person who asked'
        ) : (
          <ol class="rules-list">
            {rules.map((rule) => (
              <li>
                <CodeText text={rule.tools.join(', ')} reader={reader} />
                {rule.risk !== null && ` at ${rule.risk.join(', ')} risk`}:{' '}
                {rule.approvers === 1 ? 'one approver' : `${rule.approvers} approvers`}
                {rule.four_eyes && ', never the person who asked'}
              </li>
            ))}
          </ol>
        )}
      </Fact>
      <Fact label="Risks changed here">
        {rated.length === 0 ? (
          <span class="unset">
            {settings.tenant === null
              ? 'choose a tenant to see what is set for it'
              : 'none: each tool has the risk that its contract says'}
          </span>
        ) : (
          <ul class="rules-list">
            {rated.map(([tool, level]) => (
              <li>
                <a href={to('tools', tool)}>
                  <CodeText text={tool} reader={reader} />
                </a>{' '}
                <RiskPill risk={level} />
              </li>
            ))}
          </ul>
        )}
      </Fact>
      <Fact label="A rationale (the agent’s reason)">
        {policy.rationale.mode === 'required' ? (
          'is always required'
        ) : (
          <>
            may be missing over REST until{' '}
            {new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(Date.parse(policy.rationale.until))}
            <small>
              <a href={to('insights', 'callers')}>Callers that leave it out</a>
            </small>
          </>
        )}
      </Fact>
      <Fact label="Errors tell agents">
        {guidance.errors ? 'what happened, why, and what to do next' : 'what happened and why, and the first step'}
      </Fact>
      <Fact label="Tools with a budget tell agents">
        {guidance.budget ? 'how much of it the call used' : 'nothing about it'}
      </Fact>
      <Fact label="Sessions that get this advice">
        {guidance.sample === 1
          ? 'all of them'
          : guidance.sample === 0
            ? 'none of them'
            : `about ${new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(guidance.sample)} of them`}
      </Fact>
      <Fact label="Programs of agents">
        {sandbox.enabled === true ? (
          <>
            run in a sandbox
            <small>
              {sandbox.export_folder === undefined ? (
                'no file leaves it'
              ) : (
                <>
                  files leave it for <Marked text={sandbox.export_folder} reader={reader} />
                </>
              )}
            </small>
          </>
        ) : (
          'are not run'
        )}
      </Fact>
      <Fact label="Files">
        {files.enabled ? (
          <>
            up to {number.format(files.max_mb)} MB each
            <small>
              download links work up to {number.format(files.max_link_days)} days
              {files.links === 's3' ? ', and S3 signs them' : ''}
            </small>
          </>
        ) : (
          'are not kept'
        )}
      </Fact>
      <Fact label="Mail">
        {mail === null ? (
          'is not sent'
        ) : (
          <>
            from <Marked text={mail.from} reader={reader} />
            <small>
              to {number.format(mail.policy.recipients_per_hour)} recipients an hour and{' '}
              {number.format(mail.policy.recipients_per_day)} a day
            </small>
          </>
        )}
      </Fact>
      <Fact label="Calls of one caller">
        {limits.calls_per_minute === null ? 'any number' : `${number.format(limits.calls_per_minute)} a minute`}
        {limits.writes_per_minute !== null && <small>{number.format(limits.writes_per_minute)} writes a minute</small>}
      </Fact>
      <Fact label="A sign-in lasts">
        {new Intl.NumberFormat(locale, { style: 'unit', unit: 'hour', unitDisplay: 'long' }).format(
          operators.session_hours,
        )}
        {operators.sign_in_through !== null && (
          <small>
            also through <Marked text={operators.sign_in_through} reader={reader} />
          </small>
        )}
      </Fact>
      <Fact label="The activity log keeps">
        {activity.days === null && activity.rows === null && activity.bytes === null
          ? 'everything'
          : [
              activity.days === null ? undefined : `${number.format(activity.days)} days`,
              activity.rows === null ? undefined : `${number.format(activity.rows)} rows`,
              activity.bytes === null ? undefined : `${number.format(activity.bytes)} bytes`,
            ]
              .filter((part) => part !== undefined)
              .join(', ')}
        <small>
          {activity.anchored
            ? 'anchored in a file outside the database'
            : 'not anchored: whoever can write to the database could rewrite it'}
        </small>
      </Fact>
    </dl>
  )
}

export const InForce = ({ app, route }: PageProps): VNode => {
  const tenant = route.query.get('tenant') || undefined
  const loading = useLoaded(app, `settings ${tenant ?? ''}`, (api) => api.settings.$get({ query: { tenant } }))
  const known = loading.value?.tenants ?? []
  const filters = [choiceOf('tenant', 'For', known, 'all tenants')]
  const chosen = readFilters(filters, route)
  return (
    <Section
      id="in-force"
      title="Rules in force"
      lead="To change these, edit the settings file, or the flags and environment variables of the server, and restart it."
    >
      {(known.length > 0 || chosen['tenant'] !== undefined) && <Filters filters={filters} app={app} route={route} />}
      <Await loading={loading}>{({ settings }) => <InForceFacts settings={settings} app={app} />}</Await>
    </Section>
  )
}
