// The frame of every page. For a page of your own, beside its line in pages.tsx:
//   const list = useLoaded(app, key, (api) => api.things.$get({ query }))           load.ts
//   <Page title="Things" app={app} route={route} lead="One sentence." actions={…}>
//     <Await loading={list}>{({ things }) => <Table rows={things} empty={<Empty title="Nothing here">…</Empty>} …/>}</Await>
//   </Page>
// `Page` owns the <h1>, the document's title and the focus after a step to another page; `Await` draws loading, offline,
// refused and stale states; links are plain <a href={to('things', id)}>; times are in times.tsx, tables in table.tsx,
// filters in filters.tsx. Data of agents goes through `Marked` of ui/parts, never bare.
import type { ComponentChildren, VNode } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Note } from '../parts/alert.tsx'
import type { Trouble } from './answer.ts'
import type { AdminContext } from './context.ts'
import type { Loading } from './load.ts'
import type { Route } from './route.ts'

interface FrameProps {
  /** Also the document's title. */
  readonly title: string
  /** The title as it is drawn, where it is more than text. */
  readonly heading?: ComponentChildren
  /** One sentence below it. */
  readonly lead?: ComponentChildren
  /** Stands beside the heading. */
  readonly actions?: ComponentChildren
  /** Where this page hangs below another: its address and name. */
  readonly back?: { readonly href: string; readonly label: string }
  readonly app: AdminContext
  readonly route: Route
  readonly children: ComponentChildren
}

/** One page: heading, lead, content. The heading takes the focus when a person has come here by a link or a key. */
export const Page = ({ title, heading, lead, actions, back, app, route, children }: FrameProps): VNode => {
  const head = useRef<HTMLHeadingElement>(null)
  // Before anything is painted, so that it takes no focus from who is already at work.
  useLayoutEffect(() => {
    if (route.visit === 0) return
    scrollTo(0, 0)
    head.current?.focus({ preventScroll: true })
  }, [route.visit])
  const { pending = 0 } = app.waiting
  useLayoutEffect(() => {
    document.title = `${pending > 0 ? `(${pending}) ` : ''}${title} · Countersign`
  }, [title, pending])
  return (
    <main id="page" class="page">
      <header class="page-head">
        {back !== undefined && (
          <a class="back minor" href={back.href}>
            <span aria-hidden="true">←</span> {back.label}
          </a>
        )}
        <h1 ref={head} tabIndex={-1}>
          {heading ?? title}
        </h1>
        {actions !== undefined && <div class="buttons">{actions}</div>}
        {lead !== undefined && <p class="lead">{lead}</p>}
      </header>
      {children}
    </main>
  )
}

/** A part of a page with a heading of its own. `id` makes it a place to jump to. */
export const Section = ({
  title,
  lead,
  actions,
  id,
  children,
}: {
  readonly title: string
  readonly lead?: ComponentChildren
  readonly actions?: ComponentChildren
  readonly id?: string
  readonly children: ComponentChildren
}): VNode => (
  <section class="section" id={id} aria-label={title}>
    <div class="section-head">
      <h2>{title}</h2>
      {actions !== undefined && <div class="buttons">{actions}</div>}
      {lead !== undefined && <p class="lead">{lead}</p>}
    </div>
    {children}
  </section>
)

/** Nothing to show: what that means, and what would change it. */
export const Empty = ({
  title,
  children,
}: {
  readonly title: string
  readonly children?: ComponentChildren
}): VNode => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {children !== undefined && <div>{children}</div>}
  </div>
)

/** Why something is not here, with what to do next. */
export const TroubleNote = ({ trouble, again }: { readonly trouble: Trouble; readonly again?: () => void }): VNode => (
  <div class="trouble">
    {trouble.kind === 'offline' && (
      <Note tone="warning" sign="!" spoken="Warning" alert>
        <b>The server does not answer.</b> It may be restarting, or the connection is down.
      </Note>
    )}
    {trouble.kind === 'signed-out' && (
      <Note tone="warning" sign="!" spoken="Warning" alert>
        <b>You are signed out.</b> Sign in again; this page stays where it is.
      </Note>
    )}
    {trouble.kind === 'refused' && trouble.status === 403 && (
      <Note tone="info" sign="i" spoken="Note">
        <b>Your role does not allow this.</b> {trouble.message} {trouble.next}
      </Note>
    )}
    {trouble.kind === 'refused' && trouble.status !== 403 && (
      <Note tone="danger" sign="×" spoken="Error" alert>
        <b>{trouble.message}</b> {trouble.next}
      </Note>
    )}
    {again !== undefined &&
      trouble.kind !== 'signed-out' &&
      !(trouble.kind === 'refused' && trouble.status === 403) && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
  </div>
)

export const LoadingLine = (): VNode => (
  <p class="loading" role="status">
    Loading…
  </p>
)

/** Draws what was loaded, or why it is not here yet. */
export const Await = <T,>({
  loading,
  children,
}: {
  readonly loading: Loading<T>
  readonly children: (value: T) => ComponentChildren
}): VNode => {
  const { state } = loading
  if (state.at === 'loading') return <LoadingLine />
  if (state.at === 'failed') return <TroubleNote trouble={state.trouble} again={loading.reload} />
  return (
    <div class="awaited" aria-busy={state.stale}>
      {state.trouble !== undefined && <TroubleNote trouble={state.trouble} again={loading.reload} />}
      {children(state.value)}
    </div>
  )
}
