// How the servers behind stand, and where the gateway is logged in: a server that waits for a login has no tools to list,
// so nothing else on this page would say that it is there; nor are those listed that the settings leave out.
import type { VNode } from 'preact'
import { Pill } from '../../parts/buttons.tsx'
import { Marked, Prose } from '../../parts/marked.tsx'
import type { AppProps } from '../context.ts'
import { Section } from '../page.tsx'
import { CodeText } from '../pieces.tsx'
import { Table, type Column } from '../table.tsx'
import { Ago, Exact } from '../times.tsx'
import type { ListedServer } from '../shapes.ts'

const mostNamed = 50

const someOf = (names: readonly string[]): string =>
  names.length <= mostNamed
    ? names.join(', ')
    : `${names.slice(0, mostNamed).join(', ')} and ${names.length - mostNamed} more`

const columnsFor = (app: AppProps['app']): readonly Column<ListedServer>[] => [
  { label: 'Server', cell: ({ name }) => <Marked text={name} reader={app.reader} /> },
  {
    label: 'State',
    wide: true,
    cell: ({ ready, standing }) => (
      <>
        <Pill tone={ready ? 'plain' : 'warn'}>{ready ? 'connected' : 'not connected'}</Pill>{' '}
        {!ready && (
          <small>
            <Prose text={standing} reader={app.reader} />
          </small>
        )}
      </>
    ),
  },
  {
    label: 'Tools left out',
    wide: true,
    cell: ({ left_out: lists }) =>
      lists.length === 0
        ? undefined
        : lists.map(({ setting, tools }) => (
            <div key={setting}>
              <CodeText text={setting} reader={app.reader} />: <Marked text={someOf(tools)} reader={app.reader} />
            </div>
          )),
  },
  {
    label: 'Login',
    cell: ({ login }) =>
      login === null ? undefined : (
        <>
          at <CodeText text={login.issuer} reader={app.reader} /> as the client{' '}
          <CodeText text={login.client} reader={app.reader} />{' '}
          <small>
            since <Ago iso={login.since} app={app} />, {login.lasts}
            {login.token_until !== null && (
              <>
                , its token until <Exact iso={login.token_until} app={app} />
              </>
            )}
            ; scopes: <Marked text={login.scopes ?? 'not said'} reader={app.reader} />
          </small>
        </>
      ),
  },
]

/** Nothing where there are none. */
export const UpstreamServers = ({
  servers,
  app,
}: AppProps<{ readonly servers: readonly ListedServer[] }>): VNode | null =>
  servers.length === 0 ? null : (
    <Section title="Servers behind the gateway" lead="Other MCP servers whose tools agents call through this one.">
      <Table kind="servers" label="Servers behind" columns={columnsFor(app)} rows={servers} id={({ name }) => name} />
    </Section>
  )
