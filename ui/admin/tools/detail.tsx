// A contract as a page: everything that the tool promises, in the order in which somebody asks who must decide about it.
import type { VNode } from 'preact'
import { Note } from '../../parts/alert.tsx'
import { Pill } from '../../parts/buttons.tsx'
import { Marked, Prose } from '../../parts/marked.tsx'
import { RiskPill } from '../approvals/words.tsx'
import type { PageProps, AppProps } from '../context.ts'
import { useLoaded } from '../load.ts'
import { Await, Page, Section } from '../page.tsx'
import { CodeText, Fact } from '../pieces.tsx'
import { to, toActivity } from '../route.ts'
import { Table } from '../table.tsx'
import { HeldChange, UpstreamFacts } from './definition.tsx'
import { Ladder } from './ladder.tsx'
import { schemaRows } from './schema-rows.ts'
import type { Contract } from '../shapes.ts'

const stepUps: Readonly<Record<string, string>> = {
  never: 'not asked for by the tool',
  always: 'always, from whoever approves',
  depends_on_input: 'for some inputs, from whoever approves',
}
const confirmers: Readonly<Record<string, string>> = {
  rail: 'required: the card of its preview',
  approval: 'required: an approval outside of the chat',
  host: 'required: the host’s own prompt',
}
const forms: Readonly<Record<string, string>> = {
  click: 'the button alone',
  'type-name': 'something is always typed first',
}
const repeats: Readonly<Record<string, string>> = {
  natural: 'a repeat changes nothing more: the tool sees to that',
  plan: 'runs once for each confirmation',
}

const Promises = ({ contract, app }: AppProps<{ contract: Contract }>): VNode => {
  const write = contract.operation !== 'read'
  return (
    <Section title="What it promises">
      <dl class="facts sheet-rows">
        <Fact label="Operation">
          {contract.operation}
          {contract.noun !== undefined && (
            <small>
              messages to people call what it changes “<Marked text={contract.noun} reader={app.reader} />”
            </small>
          )}
        </Fact>
        <Fact label="Reaches outside">{contract.external ? 'yes: mail, payment or another service' : 'no'}</Fact>
        <Fact label="Permissions">
          {contract.permissions.length === 0 ? (
            <span class="unset">none needed</span>
          ) : (
            contract.permissions.map((permission) => <CodeText class="tag" text={permission} reader={app.reader} />)
          )}
        </Fact>
        {write && (
          <>
            <Fact label="Runs without asking">
              {contract.autonomous ? 'yes, up to medium risk (autonomous)' : 'no: a person confirms'}
            </Fact>
            <Fact label="Confirmation">
              {contract.confirmation.required
                ? (confirmers[contract.confirmation.by ?? ''] ?? 'never given: agents may not call it')
                : 'not required'}
            </Fact>
            <Fact label="The person confirms with">
              {forms[contract.confirmation.form ?? ''] ?? 'the button; what the preview names is typed first'}
            </Fact>
            <Fact label="Second factor">{stepUps[contract.step_up ?? 'never']}</Fact>
            <Fact label="Preview is required">
              {contract.dry_run_required ? 'always, whatever the settings say' : 'where its risk demands it'}
            </Fact>
            <Fact label="If it is called again">{repeats[contract.idempotency] ?? contract.idempotency}</Fact>
            <Fact label="If the server stops during a call">
              {contract.transactional
                ? 'it happened as a whole and is on record, or it did not happen'
                : contract.reconciles
                  ? 'the tool can find out whether it happened'
                  : 'a person must find out whether it happened'}
            </Fact>
            <Fact label="Undo">{contract.undo ? 'may be offered, as a new preview' : 'not offered'}</Fact>
          </>
        )}
        <Fact label="Recorded as">
          <code>{contract.audit_event}</code>
        </Fact>
        {contract.budget !== undefined && (
          <Fact label="Budget">
            {contract.budget.limit} {contract.budget.unit}
          </Fact>
        )}
        {contract.cheatsheet !== undefined && (
          <Fact label="Cheatsheet">
            <code>{contract.cheatsheet}</code>
          </Fact>
        )}
        <Fact label="Hints for hosts">
          {[
            contract.annotations.readOnlyHint ? 'only reads' : 'writes',
            contract.annotations.destructiveHint ? 'destructive' : 'adds only',
            contract.annotations.idempotentHint ? 'idempotent' : 'not idempotent',
            contract.annotations.openWorldHint ? 'open world' : 'closed world',
          ].join(', ')}
        </Fact>
        <Fact label="Definition">
          <code>{contract.definition}</code>
        </Fact>
      </dl>
    </Section>
  )
}

const Effects = ({ contract, app }: AppProps<{ contract: Contract }>): VNode | null =>
  contract.side_effects.length === 0 ? null : (
    <Section title="Side effects">
      <Table
        label="Side effects"
        rows={contract.side_effects}
        id={(effect) => effect.what}
        columns={[
          {
            label: 'What happens',
            cell: ({ what }) => <Prose text={what} reader={app.reader} />,
          },
          {
            label: 'When it runs again',
            cell: (effect) => <Prose text={effect.on_repeat} reader={app.reader} />,
          },
        ]}
      />
    </Section>
  )

const effectTones = { none: 'plain', partial: 'warn', unknown: 'danger' } as const

/** Errors that this server itself answers with, the same for all tools of a kind. */
const ServerFailures = ({ contract, app }: AppProps<{ contract: Contract }>): VNode => (
  <Section title="Errors of this server" lead="They can happen with every tool, before it runs or instead of it.">
    <Table
      label="Errors of this server"
      rows={contract.server_failures}
      id={(failure) => failure.code}
      columns={[
        { label: 'Code', cell: ({ code }) => <code>{code}</code> },
        { label: 'Status', cell: ({ status }) => <code>{status}</code> },
        {
          label: 'Leaves behind',
          cell: ({ effect }) => <Pill tone={effectTones[effect]}>{effect === 'none' ? 'nothing' : effect}</Pill>,
        },
        { label: 'What to do', wide: true, cell: ({ guidance }) => <Prose text={guidance} reader={app.reader} /> },
      ]}
    />
  </Section>
)

const Failures = ({ contract, app }: AppProps<{ contract: Contract }>): VNode => (
  <Section
    title="How it can fail"
    lead={`The failures that its author names. After any other error ${contract.transactional ? 'nothing is changed' : 'it is unknown whether the call had an effect'}.`}
  >
    <Table
      label="Failures"
      rows={contract.failures}
      empty={<p class="unset">Its author names none.</p>}
      id={(failure) => failure.code}
      columns={[
        { label: 'Code', cell: ({ code }) => <code>{code}</code> },
        {
          label: 'Leaves behind',
          cell: ({ effect }) => (
            <Pill tone={effectTones[effect as keyof typeof effectTones] ?? 'plain'}>
              {effect === 'none' ? 'nothing' : effect}
            </Pill>
          ),
        },
        {
          label: 'What to do',
          wide: true,
          cell: ({ guidance }) => <Prose text={guidance} reader={app.reader} />,
        },
        {
          label: 'Retry',
          cell: ({ retryable, retry_after_seconds: after }) =>
            retryable === 'no' ? 'no' : retryable === 'after_wait' ? `after ${after ?? 'a few'} s` : 'after a change',
        },
      ]}
    />
  </Section>
)

const Input = ({ contract, app }: AppProps<{ contract: Contract }>): VNode => {
  const rows = schemaRows(contract.input_schema)
  return (
    <Section title="Arguments">
      <Table
        label="Arguments"
        rows={rows}
        empty={<p class="unset">It takes no arguments.</p>}
        id={(row) => row.path}
        columns={[
          {
            label: 'Name',
            cell: ({ path }) => (
              <>
                <CodeText text={path} reader={app.reader} />
                {contract.reserved.includes(path) && <small> added by Countersign</small>}
              </>
            ),
          },
          { label: 'Type', cell: ({ type }) => type },
          { label: 'Required', cell: ({ required }) => (required ? 'yes' : 'no') },
          {
            label: 'Description',
            wide: true,
            cell: ({ description, rules }) => (
              <>
                {description !== '' && <Prose text={description} reader={app.reader} lines />}
                {rules.length > 0 && (
                  <small class="below">
                    <Marked text={rules.join(' · ')} reader={app.reader} />
                  </small>
                )}
              </>
            ),
          },
        ]}
      />
      <details>
        <summary>Schemas as agents get them</summary>
        <pre class="json" tabIndex={0} aria-label="JSON Schemas">
          {JSON.stringify({ input: contract.input_schema, output: contract.output_schema }, null, 2)}
        </pre>
      </details>
    </Section>
  )
}

export const ToolPage = ({ id: name, app, route }: PageProps & { readonly id: string }): VNode => {
  const loading = useLoaded(app, name, (api) => api.contracts[':name'].$get({ param: { name } }))
  const title = loading.value?.contract.title ?? name
  return (
    <Page
      title={title}
      heading={<Marked text={title} reader={app.reader} />}
      app={app}
      route={route}
      back={{ href: to('tools'), label: 'Tools' }}
    >
      <Await loading={loading}>
        {(answer) => {
          const { contract } = answer
          return (
            <>
              <p class="line">
                <CodeText text={contract.wire_name} reader={app.reader} />
                <RiskPill risk={contract.rated ?? contract.risk} byInput={contract.risk_depends_on_input} />
                <a href={toActivity({ tool: contract.wire_name })}>Its calls in Activity</a>
              </p>
              {contract.forbidden && (
                <Note tone="danger" sign="×" spoken="Forbidden">
                  <b>Forbidden for agents.</b> They do not find it, and a call is answered like one of an unknown tool,
                  and recorded.
                </Note>
              )}
              <HeldChange name={contract.wire_name} app={app} onAccepted={loading.reload} />
              <Section title="What agents read">
                <blockquote class="told">
                  <Prose text={contract.description} reader={app.reader} lines />
                </blockquote>
              </Section>
              <Section title="Risk">
                <Ladder {...answer} />
              </Section>
              {contract.upstream !== undefined && <UpstreamFacts upstream={contract.upstream} app={app} />}
              <Promises contract={contract} app={app} />
              <Effects contract={contract} app={app} />
              <Failures contract={contract} app={app} />
              <ServerFailures contract={contract} app={app} />
              <Input contract={contract} app={app} />
            </>
          )
        }}
      </Await>
    </Page>
  )
}
