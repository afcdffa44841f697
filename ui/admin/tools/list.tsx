// Every tool that is served, forbidden ones too: what agents do not find, operators must. Changed definitions that wait for
// somebody to read them stand first, because until then their tools do not run.
import type { VNode } from 'preact'
import { Pill } from '../../parts/buttons.tsx'
import { Marked } from '../../parts/marked.tsx'
import { RiskPill } from '../approvals/words.tsx'
import type { AdminContext, RoomProps } from '../desk.ts'
import { Filters, readFilters, type Filter } from '../filters.tsx'
import { useLoaded } from '../load.ts'
import { Await, Empty, Page, Section } from '../page.tsx'
import { to } from '../route.ts'
import { Table, type Column } from '../table.tsx'
import type { ChangesAnswer, ListedContract } from './wire.ts'
import { risks } from '../../../server/model/risk.ts'

const filters: readonly Filter[] = [
  { kind: 'text', name: 'q', label: 'Name', hint: 'orders' },
  {
    kind: 'choice',
    name: 'risk',
    label: 'Risk',
    options: risks.map((risk) => [risk, risk] as const),
  },
  {
    kind: 'choice',
    name: 'operation',
    label: 'Operation',
    options: [
      ['read', 'read'],
      ['write', 'write'],
      ['destructive', 'destructive'],
    ],
  },
]

const fits = (tool: ListedContract, given: Readonly<Record<string, string>>): boolean => {
  const text = `${tool.wire_name} ${tool.title} ${tool.category}`.toLowerCase()
  return (
    (given['q'] ?? '')
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word)) &&
    (given['risk'] === undefined || given['risk'] === (tool.rated ?? tool.risk)) &&
    (given['operation'] === undefined || given['operation'] === tool.operation)
  )
}

const columnsFor = (desk: AdminContext): readonly Column<ListedContract>[] => [
  {
    key: 'tool',
    label: 'Tool',
    cell: (tool) => (
      <>
        <a href={to('tools', tool.wire_name)}>
          <Marked text={tool.title} reader={desk.reader} />
        </a>{' '}
        <code class="wire">
          <Marked text={tool.wire_name} reader={desk.reader} />
        </code>
      </>
    ),
  },
  { key: 'operation', label: 'Operation', cell: (tool) => tool.operation },
  {
    key: 'risk',
    label: 'Risk',
    cell: (tool) => (
      <span class="pills">
        <RiskPill risk={tool.rated ?? tool.risk} />
        {tool.risk_depends_on_input && <small>or less, by input</small>}
        {tool.rated !== null && <small>rated here</small>}
      </span>
    ),
  },
  {
    key: 'marks',
    label: 'Marks',
    cell: (tool) => {
      const held = tool.upstream?.held === true
      const suspicious = (tool.upstream?.findings ?? 0) > 0
      if (!tool.autonomous && !held && !suspicious) return undefined
      return (
        <span class="pills">
          {tool.autonomous && <Pill tone="plain">autonomous</Pill>}
          {held && <Pill tone="warn">changed</Pill>}
          {suspicious && <Pill tone="danger">suspicious</Pill>}
        </span>
      )
    },
  },
]

/** Rooms of the catalogue, in the order in which they first appear. */
const grouped = (tools: readonly ListedContract[]): ReadonlyMap<string, readonly ListedContract[]> => {
  const groups = new Map<string, ListedContract[]>()
  for (const tool of tools) {
    const name = tool.upstream?.server ?? tool.category
    groups.set(name, [...(groups.get(name) ?? []), tool])
  }
  return groups
}

export const ToolList = ({ desk, route }: RoomProps): VNode => {
  const given = readFilters(filters, route)
  const tools = useLoaded('tools', () =>
    desk.client.get<{ readonly contracts: readonly ListedContract[] }>('/contracts'),
  )
  const changes = useLoaded('changes', () => desk.client.get<ChangesAnswer>('/definitions'))
  const waiting = changes.state.at === 'ready' ? changes.state.value.changes : []
  return (
    <Page title="Tools" desk={desk} route={route} lead="What each tool promises, and what the gate does about it.">
      {waiting.length > 0 && (
        <Section
          title="Changed by their server"
          lead="These do not run until somebody has read the change and accepted it."
        >
          <ul class="plain-rows">
            {waiting.map(({ name }) => (
              <li>
                <a href={to('tools', name)} data-row>
                  <Marked text={name} reader={desk.reader} />
                </a>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Filters filters={filters} desk={desk} route={route} />
      <Await loading={tools}>
        {({ contracts }) => {
          const found = contracts.filter((tool) => fits(tool, given))
          if (found.length === 0)
            return <Empty title={contracts.length === 0 ? 'This server has no tools' : 'No tool fits these filters'} />
          return [...grouped(found)].map(([name, group]) => (
            <Section key={name} title={name}>
              <Table
                kind="tools"
                label={`Tools: ${name}`}
                columns={columnsFor(desk)}
                rows={group}
                id={(tool) => tool.wire_name}
              />
            </Section>
          ))
        }}
      </Await>
    </Page>
  )
}
