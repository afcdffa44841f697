// A host that drops `_meta` leaves a result without its card. What can be read is shown, and why nothing can be confirmed
// here, and what to do instead. Also the frames without any result: waiting, stopped, unreadable. Never a blank one.
import type { VNode } from 'preact'
import { Alert, Note } from '../parts/alert.tsx'
import { Pill, type PillTone } from '../parts/buttons.tsx'
import { Diff } from '../parts/diff.tsx'
import { Marked, Prose } from '../parts/marked.tsx'
import { Placed } from '../parts/placed.tsx'
import type { Reader } from '../parts/reader.ts'
import { Text } from '../parts/text.tsx'
import type { PlainResult } from './read-result.ts'
import { InlineMarkup } from './inline-markup.tsx'
import type { View } from './state.ts'

interface Common {
  readonly reader: Reader
}

const pillOf = (result: PlainResult, { words }: Reader): { readonly text: string; readonly tone: PillTone } => {
  switch (result.status) {
    case 'applied':
    case 'replayed':
      return { text: words.$applied, tone: 'ok' }
    case 'previewed':
      return { text: words.$preview, tone: 'plain' }
    case 'stale':
    case 'mismatch':
    case 'refused':
      return { text: words.$notApplied, tone: 'warn' }
    case 'outcome_unknown':
      return { text: words.$unknownOutcome, tone: 'danger' }
    case 'running':
      return { text: words.$applying, tone: 'plain' }
    default:
      return result.isError || result.error
        ? { text: words.$failed, tone: 'danger' }
        : { text: words.$textOnly, tone: 'plain' }
  }
}

/** A preview is what could have been confirmed; of an outcome nothing is missing but the looks. */
const isPreview = ({ status, isError, content, error }: PlainResult): boolean =>
  status === 'previewed' ||
  status === 'stale' ||
  status === 'mismatch' ||
  (status === undefined && !isError && !error && content !== '')

export const Plain = ({ result, reader }: Common & { readonly result: PlainResult }): VNode => {
  const pill = pillOf(result, reader)
  const { words } = reader
  const title = result.title ?? result.summary ?? (result.error ? words.$failed : undefined)
  const rest = result.content && !result.summary && !result.error ? result.content : undefined
  const isEmpty = !title && !rest && result.changes.length === 0
  return (
    <>
      <header>
        <h1 id="title" tabIndex={-1}>
          {title ? <Prose text={title} reader={reader} /> : words.$result}
        </h1>
        <Pill tone={pill.tone}>{pill.text}</Pill>
      </header>
      <div class="body">
        {result.title && result.summary && <Text block={{ text: result.summary }} reader={reader} />}
        {result.error && <Alert block={{ severity: 'danger', title: result.error.message }} reader={reader} />}
        {result.changes.length > 0 && <Diff block={{ changes: result.changes }} reader={reader} />}
        {result.warnings.map((warning) => (
          <Alert block={{ severity: 'warning', title: warning }} reader={reader} />
        ))}
        {result.guidance.length > 0 && (
          <Text block={{ text: result.guidance.map((step) => `• ${step}`).join('\n') }} reader={reader} />
        )}
        {rest && <Text block={{ text: rest }} reader={reader} />}
        {isEmpty && (
          <Note tone="info" sign="i">
            <InlineMarkup note={words.$nEmpty} />
          </Note>
        )}
        {isPreview(result) && (
          <Note tone="info" sign="i">
            <InlineMarkup note={words.$nNoCard} />
          </Note>
        )}
      </div>
    </>
  )
}

/** The frames without any result. */
export const Bare = ({ view, reader }: Common & { readonly view: View }): VNode => {
  const { words } = reader
  const title = (
    <h1 id="title" class="sr" tabIndex={-1}>
      {words.$result}
    </h1>
  )
  if (view.kind === 'malformed') {
    return (
      <div class="body">
        {title}
        <Note tone="danger" sign="×" alert>
          <InlineMarkup note={words.$nMalformed} />{' '}
          <span class="fault">
            <Placed sentence={words.$faultAt}>
              <bdi dir="ltr">{view.at}</bdi>
            </Placed>
          </span>
        </Note>
        {view.content && <Text block={{ text: view.content }} reader={reader} />}
      </div>
    )
  }
  const reason = view.kind === 'interrupted' ? view.reason : undefined
  return (
    <div class="body">
      {title}
      <Note tone="plain" sign="…">
        <InlineMarkup note={words[view.kind === 'interrupted' ? '$nStopped' : '$nWaiting']} />
        {reason && ' '}
        {reason && <Marked text={reason} reader={reader} />}
      </Note>
    </div>
  )
}
