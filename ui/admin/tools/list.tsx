// Every tool that is served, forbidden ones too: what agents do not find, operators must. Changed definitions that wait for
// somebody to read them stand first, because until then their tools do not run.
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Pill } from '../../parts/buttons.tsx'
import { Marked } from '../../parts/marked.tsx'
import { RiskPill } from '../approvals/words.tsx'
import type { AdminContext, PageProps } from '../context.ts'
import { choiceOf, Filters, readFilters, type Filter } from '../filters.tsx'
import { useLoaded, useLooks } from '../load.ts'
import { Await, Empty, Page, Section } from '../page.tsx'
import { CodeText } from '../pieces.tsx'
import { to } from '../route.ts'
import { Table, type Column } from '../table.tsx'
import type { ListedContract } from '../shapes.ts'
import { UpstreamServers } from './servers.tsx'
import { operations, risks } from '../../../server/model/risk.ts'

const filters: readonly Filter[] = [
  { kind: 'text', name: 'q', label: 'Name', hint: 'orders' },
  choiceOf('risk', 'Risk', risks),
  choiceOf('operation', 'Operation', operations),
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

const columnsFor = (app: AdminContext): readonly Column<ListedContract>[] => [
  {
    label: 'Tool',
    cell: (tool) => (
      <>
        <a href={to('tools', tool.wire_name)}>
          <Marked text={tool.title} reader={app.reader} />
        </a>{' '}
        <CodeText class="wire" text={tool.wire_name} reader={app.reader} />
      </>
    ),
  },
  { label: 'Operation', cell: (tool) => tool.operation },
  {
    label: 'Risk',
    cell: (tool) => (
      <span class="pills">
        <RiskPill risk={tool.rated ?? tool.risk} byInput={tool.risk_depends_on_input} />
        {tool.rated !== null && <small>set by operators</small>}
      </span>
    ),
  },
  {
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

/** By server or category, in the order in which they first appear. */
const grouped = (tools: readonly ListedContract[]): ReadonlyMap<string, readonly ListedContract[]> =>
  Map.groupBy(tools, ({ upstream, category }) => upstream?.server ?? category)

export const ToolList = ({ app, route }: PageProps): VNode => {
  const given = readFilters(filters, route)
  const [isWaiting, setWaiting] = useState(false)
  const tools = useLoaded(app, 'tools', (api) => api.contracts.$get(), useLooks(isWaiting))
  const isAway = tools.value?.servers.some(({ ready }) => !ready) === true
  useEffect(() => setWaiting(isAway), [isAway])
  const waiting = useLoaded(app, 'changes', (api) => api.definitions.$get()).value?.changes ?? []
  return (
    <Page
      title="Tools"
      app={app}
      route={route}
      lead="What each tool promises, and what a call of it needs before it runs."
    >
      {waiting.length > 0 && (
        <Section
          title="Changed by their server"
          lead="These do not run until somebody has read the change and accepted it."
        >
          <ul class="plain-rows">
            {waiting.map(({ name }) => (
              <li>
                <a href={to('tools', name)} data-row>
                  <Marked text={name} reader={app.reader} />
                </a>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Filters filters={filters} app={app} route={route} />
      <Await loading={tools}>
        {({ contracts, servers }) => {
          const found = contracts.filter((tool) => fits(tool, given))
          const upstreams = <UpstreamServers key="servers behind" servers={servers} app={app} />
          if (found.length === 0)
            return [
              upstreams,
              <Empty title={contracts.length === 0 ? 'This server has no tools' : 'No tool fits these filters'} />,
            ]
          const sections = [...grouped(found)].map(([name, group]) => (
            <Section key={name} title={name}>
              <Table
                kind="tools"
                label={`Tools: ${name}`}
                columns={columnsFor(app)}
                rows={group}
                id={(tool) => tool.wire_name}
              />
            </Section>
          ))
          return [upstreams, ...sections]
        }}
      </Await>
    </Page>
  )
}
