// Who still calls over REST without a rationale while that is allowed: those to talk to before it is refused.
import type { VNode } from 'preact'
import { Marked } from '../../parts/marked.tsx'
import type { PageProps } from '../context.ts'
import { useLoaded } from '../load.ts'
import { Await, Empty, Page } from '../page.tsx'
import { CodeText, OfTenant } from '../pieces.tsx'
import { to, toActivity } from '../route.ts'
import type { GraceList } from '../shapes.ts'
import { Table } from '../table.tsx'
import { Ago } from '../times.tsx'
import { counted } from './numbers.ts'

const leadOf = (rule: GraceList['rationale'], locale: string | undefined): string => {
  if (rule.mode === 'required') return 'A rationale is required now. These callers left it out while they still could.'
  const until = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(
    Date.parse(rule.until),
  )
  return `Callers over REST may leave the rationale out until ${until}. From then on their calls are refused.`
}

/** The list behind the notification `rationale.missing`. */
export const CallersPage = ({ app, route }: PageProps): VNode => {
  const loading = useLoaded(app, 'grace', (api) => api.grace.$get())
  const rule = loading.value?.rationale
  const count = counted(app)
  const { reader } = app
  return (
    <Page
      title="Callers without a rationale"
      back={{ href: to('insights'), label: 'Insights' }}
      app={app}
      route={route}
      lead={rule && leadOf(rule, reader.locale)}
    >
      <Await loading={loading}>
        {({ callers }) => (
          <Table
            label="Callers without a rationale"
            rows={callers}
            id={({ tenant, subject, client, tool }) => JSON.stringify([tenant, subject, client, tool])}
            empty={<Empty title="No caller has left out the rationale" />}
            columns={[
              {
                label: 'Caller',
                cell: ({ tenant, subject, client }) => (
                  <>
                    <a href={toActivity({ subject, client, ...(app.operator.tenant === null ? { tenant } : {}) })}>
                      <Marked text={subject} reader={reader} />
                    </a>
                    <small class="below">
                      <Marked text={client} reader={reader} />
                      <OfTenant tenant={tenant} app={app} />
                    </small>
                  </>
                ),
              },
              { label: 'Tool', wide: true, cell: ({ tool }) => <CodeText text={tool} reader={reader} /> },
              { label: 'Calls', align: 'end', cell: ({ calls }) => count(calls) },
              { label: 'First call', cell: ({ first_at: first }) => <Ago iso={first} app={app} /> },
              { label: 'Last call', cell: ({ last_at: last }) => <Ago iso={last} app={app} /> },
            ]}
          />
        )}
      </Await>
    </Page>
  )
}
