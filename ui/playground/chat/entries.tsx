import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { formatValue } from '../../../server/confirm/message.ts'
import { elapsed, useNow } from '../../parts/countdown.ts'
import { formatClock } from '../../parts/format.ts'
import type { Reader } from '../../parts/reader.ts'
import { Progress } from '../../parts/steps.tsx'
import { CardFrame, type FrameHost } from '../connection/card-frame.tsx'
import { Json } from './json.tsx'
import { Markdown } from './markdown.tsx'
import { ResultText, textOf } from './result-text.tsx'
import type { ToolFacts } from '../tools/tool-facts.ts'
import type { CallEntry, CallProgress, Entry } from './transcript.ts'
import { cancelCall } from './use-conversation.ts'
import { TroubleNote } from './trouble-note.tsx'

interface EntryProps {
  readonly entry: Entry
  readonly host: FrameHost | undefined
  readonly tools: readonly ToolFacts[]
  readonly reader: Reader
}

/** One entry of the conversation. */
export function EntryView({ entry, host, tools, reader }: EntryProps): VNode {
  switch (entry.kind) {
    case 'person':
      return <PersonLine text={entry.text} fromCard={entry.from === 'card'} />
    case 'agent':
      return (
        <div class="said agent">
          <span class="who">Agent</span>
          <Markdown text={entry.text} />
        </div>
      )
    case 'meanwhile':
      return <p class="meanwhile">{entry.text}</p>
    case 'call':
      return <CallView call={entry} host={host} tool={tools.find((tool) => tool.name === entry.tool)} reader={reader} />
    default:
      return entry satisfies never
  }
}

const foldAt = 200
const foldTo = 140

function PersonLine({ text, fromCard }: { readonly text: string; readonly fromCard: boolean }): VNode {
  const [open, setOpen] = useState(false)
  const long = text.length > foldAt
  const isMessage = /^(?:Apply|Preview|Cancel): /.test(text)
  return (
    <div class="said person">
      <span class="who">{fromCard ? 'You, through the card' : 'You'}</span>
      <p class={isMessage ? 'code' : ''}>{long && !open ? `${text.slice(0, foldTo)}…` : text}</p>
      {long && (
        <button type="button" class="quiet small" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Show less' : `Show all ${text.length} characters`}
        </button>
      )}
    </div>
  )
}

const whyWords: Readonly<Record<CallEntry['why'], string>> = {
  asked: 'Agent calls',
  applies: 'Agent re-issues the call',
  previews: 'Agent previews again',
  repeats: 'Agent repeats the call',
}

function CallView({
  call,
  host,
  tool,
  reader,
}: {
  readonly call: CallEntry
  readonly host: FrameHost | undefined
  readonly tool: ToolFacts | undefined
  readonly reader: Reader
}): VNode {
  const { end } = call
  const line = `${call.tool}(${Object.entries(call.args)
    .map(([name, value]) => `${name}=${formatValue(value)}`)
    .join(', ')})`
  return (
    <div class="call">
      <details class="call-line">
        <summary>
          <span class="who">{whyWords[call.why]}</span>
          <code>{line}</code>
          <time dateTime={new Date(call.at).toISOString()}>{formatClock(call.at, reader)}</time>
        </summary>
        <Json value={call.args} />
      </details>
      {end.kind === 'running' && <Running id={call.id} at={call.at} progress={end.progress} reader={reader} />}
      {end.kind === 'failed' && <TroubleNote trouble={end.trouble} />}
      {end.kind === 'answered' && tool?.viewUri !== undefined && host?.profile.apps === true ? (
        <>
          <CardFrame call={call} result={end.result} tool={tool} viewUri={tool.viewUri} host={host} reader={reader} />
          <details class="minor">
            <summary>What the agent reads</summary>
            <Markdown text={textOf(end.result)} />
            {end.result.structuredContent !== undefined && <Json value={end.result.structuredContent} />}
          </details>
        </>
      ) : (
        end.kind === 'answered' && <ResultText result={end.result} reader={reader} />
      )}
    </div>
  )
}

interface RunningProps {
  readonly id: string
  /** When it was called, in epoch milliseconds. */
  readonly at: number
  readonly progress: CallProgress | undefined
  readonly reader: Reader
}

const saysTimeAfter = 1_000

/** A call that runs: for how long and how far, once that takes longer than a second. */
function Running({ id, at, progress, reader }: RunningProps): VNode {
  const ms = useNow(Date.now, 500) - at
  if (ms < saysTimeAfter) return <p class="minor">Waiting for the server…</p>
  return (
    <div class="running">
      <span class="minor">
        Running for <span class="fig">{elapsed(ms)}</span>
      </span>
      <button type="button" class="quiet small" onClick={() => cancelCall(id)}>
        Stop waiting
      </button>
      {progress !== undefined && (
        <Progress
          block={{ label: progress.message ?? '', done: progress.progress, total: progress.total }}
          reader={reader}
        />
      )}
    </div>
  )
}
