// A contract as a page: everything that the tool promises, in the order in which somebody asks who must decide about it.
import type { ComponentChildren, VNode } from 'preact'
import { Note } from '../../parts/alert.tsx'
import { Pill } from '../../parts/buttons.tsx'
import { Marked, Prose } from '../../parts/marked.tsx'
import { RiskPill } from '../approvals/words.tsx'
import type { AdminContext, RoomProps } from '../desk.ts'
import { useLoaded } from '../load.ts'
import { Await, Page, Section } from '../page.tsx'
import { to } from '../route.ts'
import { Table } from '../table.tsx'
import { HeldChange, UpstreamFacts } from './definition.tsx'
import { Ladder } from './ladder.tsx'
import { schemaRows } from './schema-rows.ts'
import type { ContractAnswer, RatedContract } from './wire.ts'

const Fact = ({ label, children }: { readonly label: string; readonly children: ComponentChildren }): VNode => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

const stepUps: Readonly<Record<string, string>> = {
  never: 'not asked for by the tool',
  always: 'always, from whoever approves',
  depends_on_input: 'for some inputs, from whoever approves',
}
const confirmations: Readonly<Record<string, string>> = {
  click: 'the button alone',
  'type-name': 'something is always typed first',
  as_previewed: 'the button; what the preview names is typed first',
}
const repeats: Readonly<Record<string, string>> = {
  natural: 'the tool itself makes a repeat harmless',
  plan: 'once per confirmed plan',
}

const Promises = ({ contract, desk }: { readonly contract: RatedContract; readonly desk: AdminContext }): VNode => {
  const write = contract.operation !== 'read'
  return (
    <Section title="What it promises">
      <dl class="facts sheet-rows">
        <Fact label="Operation">
          {contract.operation}
          {contract.noun !== undefined && (
            <small>
              messages call it “<Marked text={contract.noun} reader={desk.reader} />”
            </small>
          )}
        </Fact>
        <Fact label="Reaches outside">{contract.external ? 'yes: mail, payment or another service' : 'no'}</Fact>
        <Fact label="Permissions">
          {contract.permissions.length === 0 ? (
            <span class="unset">none needed</span>
          ) : (
            contract.permissions.map((permission) => (
              <code class="tag">
                <Marked text={permission} reader={desk.reader} />
              </code>
            ))
          )}
        </Fact>
        {write && (
          <>
            <Fact label="Without a card">
              {contract.autonomous ? 'autonomous: runs at medium risk and below' : 'never: a person confirms'}
            </Fact>
            <Fact label="The person confirms with">{confirmations[contract.confirmation ?? ''] ?? 'the button'}</Fact>
            <Fact label="Second factor">{stepUps[contract.step_up ?? 'never']}</Fact>
            <Fact label="Preview is required">
              {contract.dry_run_required ? 'always, whatever the settings say' : 'as the gate says'}
            </Fact>
            <Fact label="On a repeat">{repeats[contract.idempotency] ?? contract.idempotency}</Fact>
            <Fact label="When nobody saw the end">
              {contract.reconciles ? 'it can find out whether it happened' : 'a person must look'}
            </Fact>
            <Fact label="Undo">{contract.undo ? 'may be offered, as a new preview' : 'not offered'}</Fact>
          </>
        )}
        <Fact label="On record as">
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

const Effects = ({
  contract,
  desk,
}: {
  readonly contract: RatedContract
  readonly desk: AdminContext
}): VNode | null =>
  contract.side_effects.length === 0 ? null : (
    <Section title="Side effects">
      <Table
        label="Side effects"
        rows={contract.side_effects}
        id={(effect) => effect.what}
        columns={[
          {
            key: 'what',
            label: 'What happens',
            cell: ({ what }) => <Prose text={what} reader={desk.reader} />,
          },
          {
            key: 'repeat',
            label: 'When it runs again',
            cell: (effect) => <Prose text={effect.on_repeat} reader={desk.reader} />,
          },
        ]}
      />
    </Section>
  )

const effectTones = { none: 'plain', partial: 'warn', unknown: 'danger' } as const

const Failures = ({ contract, desk }: { readonly contract: RatedContract; readonly desk: AdminContext }): VNode => (
  <Section title="How it can fail" lead="All that its author knows of; anything else ends as “outcome unknown”.">
    {contract.failures.length === 0 ? (
      <p class="unset">It declares no failure.</p>
    ) : (
      <Table
        label="Failures"
        rows={contract.failures}
        id={(failure) => failure.code}
        columns={[
          { key: 'code', label: 'Code', cell: ({ code }) => <code>{code}</code> },
          {
            key: 'effect',
            label: 'Leaves behind',
            cell: ({ effect }) => (
              <Pill tone={effectTones[effect as keyof typeof effectTones] ?? 'plain'}>
                {effect === 'none' ? 'nothing' : effect}
              </Pill>
            ),
          },
          {
            key: 'next',
            label: 'What to do',
            wide: true,
            cell: ({ guidance }) => <Prose text={guidance} reader={desk.reader} />,
          },
          {
            key: 'retry',
            label: 'Again',
            cell: ({ retryable, retry_after_seconds: after }) =>
              retryable === 'no' ? 'no' : retryable === 'after_wait' ? `after ${after ?? 'a few'} s` : 'after a change',
          },
        ]}
      />
    )}
  </Section>
)

const Input = ({ contract, desk }: { readonly contract: RatedContract; readonly desk: AdminContext }): VNode => {
  const rows = schemaRows(contract.input_schema)
  return (
    <Section title="Arguments">
      {rows.length === 0 ? (
        <p class="unset">It takes none.</p>
      ) : (
        <Table
          label="Arguments"
          rows={rows}
          id={(row) => row.path}
          columns={[
            {
              key: 'name',
              label: 'Name',
              cell: ({ path }) => (
                <>
                  <code>
                    <Marked text={path} reader={desk.reader} />
                  </code>
                  {contract.reserved.includes(path) && <small> ours</small>}
                </>
              ),
            },
            { key: 'type', label: 'Type', cell: ({ type }) => type },
            { key: 'needed', label: 'Needed', cell: ({ required }) => (required ? 'yes' : 'no') },
            {
              key: 'about',
              label: 'Says',
              wide: true,
              cell: ({ description, rules }) => (
                <>
                  {description !== '' && <Prose text={description} reader={desk.reader} lines />}
                  {rules.length > 0 && (
                    <small class="rules">
                      <Marked text={rules.join(' · ')} reader={desk.reader} />
                    </small>
                  )}
                </>
              ),
            },
          ]}
        />
      )}
      <details class="raw">
        <summary>Schemas as agents get them</summary>
        <pre tabIndex={0} aria-label="JSON Schemas">
          {JSON.stringify({ input: contract.input_schema, output: contract.output_schema }, null, 2)}
        </pre>
      </details>
    </Section>
  )
}

export const ToolPage = ({ desk, route }: RoomProps): VNode => {
  const name = route.path[0] ?? ''
  const loading = useLoaded(name, () => desk.client.get<ContractAnswer>(`/contracts/${encodeURIComponent(name)}`))
  const title = loading.state.at === 'ready' ? loading.state.value.contract.title : name
  return (
    <Page
      title={title}
      heading={<Marked text={title} reader={desk.reader} />}
      desk={desk}
      route={route}
      back={{ href: to('tools'), label: 'Tools' }}
    >
      <Await loading={loading}>
        {(answer) => {
          const { contract } = answer
          return (
            <>
              <p class="tool-line">
                <code>
                  <Marked text={contract.wire_name} reader={desk.reader} />
                </code>
                <RiskPill risk={contract.rated ?? contract.risk} />
                <a href={`${to('activity')}?tool=${encodeURIComponent(contract.wire_name)}`}>Its calls in Activity</a>
              </p>
              {contract.forbidden && (
                <Note tone="danger" sign="×" spoken="Forbidden">
                  <b>Forbidden for agents.</b> They do not find it, and a call is answered like one of an unknown tool,
                  and recorded.
                </Note>
              )}
              <HeldChange name={contract.wire_name} desk={desk} onAccepted={loading.reload} />
              <Section title="What agents read">
                <blockquote class="told">
                  <Prose text={contract.description} reader={desk.reader} lines />
                </blockquote>
              </Section>
              <Section title="Risk">
                <Ladder {...answer} />
              </Section>
              {contract.upstream !== undefined && <UpstreamFacts upstream={contract.upstream} desk={desk} />}
              <Promises contract={contract} desk={desk} />
              <Effects contract={contract} desk={desk} />
              <Failures contract={contract} desk={desk} />
              <Input contract={contract} desk={desk} />
            </>
          )
        }}
      </Await>
    </Page>
  )
}
