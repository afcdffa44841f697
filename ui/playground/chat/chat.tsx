import { Fragment, type VNode } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { copyText } from '../../parts/copyable.tsx'
import type { Reader } from '../../parts/reader.ts'
import type { FrameHost } from '../connection/card-frame.tsx'
import { EntryView } from './entries.tsx'
import type { SwitchedDesk } from './header.tsx'
import { NextSteps, StepList, type NextStepsProps, type StepActions } from './steps.tsx'
import type { Suggestion } from './suggestions.ts'
import { promiseOf, type ServerPromise, type ToolFacts } from '../tools/tool-facts.ts'
import type { Entry } from './transcript.ts'

interface ChatProps extends Omit<NextStepsProps, 'next'> {
  readonly entries: readonly Entry[]
  readonly host: FrameHost | undefined
  readonly tools: readonly ToolFacts[]
  /** What is offered now: first steps in an empty chat, next ones below a conversation. */
  readonly suggestions: readonly Suggestion[]
  readonly desks: readonly SwitchedDesk[]
  readonly onSay: (text: string) => void
  /** Absent where the server takes no files. */
  readonly onUpload: ((file: File) => void) | undefined
  readonly composed: string
  readonly onCompose: (text: string) => void
  readonly reader: Reader
}

/** The conversation and its composer. */
export function Chat(props: ChatProps): VNode {
  const { entries, host, tools, suggestions, desks, onSay, onUpload, composed, onCompose, reader, ...steps } = props
  const scroller = useRef<HTMLDivElement>(null)
  // The scroller counts from its end (`.from-the-end`), where the decision of the newest card stands: each entry leads there.
  useLayoutEffect(() => {
    if (entries.length > 0) scroller.current?.scrollTo({ top: 0 })
  }, [entries.length])
  return (
    <>
      <div class={entries.length > 0 ? 'scroller from-the-end' : 'scroller'} ref={scroller}>
        <div class="conversation" role="log" aria-live="polite" aria-label="Conversation">
          {entries.length === 0 && host !== undefined ? (
            <FirstSteps
              promise={promiseOf(tools)}
              steps={suggestions}
              over={steps.over}
              desks={desks}
              isDemo={steps.steps.length > 0}
              onTake={steps.onTake}
              onChange={steps.onChange}
            />
          ) : (
            <h1 class="sr">Conversation</h1>
          )}
          {entries.map((entry) => (
            <EntryView key={entry.id} entry={entry} host={host} tools={tools} reader={reader} />
          ))}
        </div>
      </div>
      {entries.length > 0 && host !== undefined && <NextSteps {...steps} next={suggestions} />}
      <Composer text={composed} onChange={onCompose} onSay={onSay} onUpload={onUpload} disabled={host === undefined} />
    </>
  )
}

const headlines: Readonly<Record<ServerPromise, VNode>> = {
  asks: (
    <>
      <h1>Nothing happens until you sign.</h1>
      <p>
        Here the agent is a script, and a press on a step is its call. What would change comes back as a card; your
        click on it becomes a line in this chat, and only then is the call made.
      </p>
    </>
  ),
  'asks-partly': (
    <>
      <h1>Some of these tools ask first, others act at once.</h1>
      <p>
        Here the agent is a script and you tell it what to call. A tool with a card of Countersign shows what would
        change; any other may change it at once, without asking anybody.
      </p>
    </>
  ),
  acts: (
    <>
      <h1>This server decides what a call does.</h1>
      <p>
        Here the agent is a script and you tell it what to call. A tool that changes something may do so at once,
        without asking anybody. <code>countersign wrap</code> in front of this server makes it ask first.
      </p>
    </>
  ),
  reads: (
    <>
      <h1>This server says that it only reads.</h1>
      <p>Here the agent is a script and you tell it what to call. No tool here is said to change anything.</p>
    </>
  ),
}

interface FirstStepsProps extends StepActions {
  readonly promise: ServerPromise
  readonly steps: readonly Suggestion[]
  readonly over: readonly string[]
  readonly desks: readonly SwitchedDesk[]
  /** Whether this is the demo, whose visitor has a server of their own. */
  readonly isDemo: boolean
}

function FirstSteps({ promise, desks, isDemo, ...list }: FirstStepsProps): VNode {
  return (
    <div class="first-steps">
      {headlines[promise]}
      {list.steps.length > 0 && <StepList {...list} />}
      {isDemo && (
        <>
          {desks.length > 1 && (
            <p class="minor">
              More steps are on the other desks:{' '}
              {desks
                .flatMap(({ label, path }) => (path === undefined ? [] : [{ label, path }]))
                .map(({ label, path }, index) => (
                  <Fragment key={label}>
                    {index > 0 && ', '}
                    <a href={path}>{label}</a>
                  </Fragment>
                ))}
              .
            </p>
          )}
          <OwnServer />
        </>
      )}
    </div>
  )
}

const wrapCommand = 'npx countersign wrap --http 3324 -- npx -y @modelcontextprotocol/server-memory'

/** How a server of the reader's own comes behind a signature. */
function OwnServer(): VNode {
  const [copied, setCopied] = useState<boolean | undefined>(undefined)
  return (
    <div class="own-server">
      <p class="minor">Put any MCP server behind a signature, here the official memory server:</p>
      <div class="command">
        <code>{wrapCommand}</code>
        <button type="button" class="small" onClick={() => void copyText(wrapCommand).then(setCopied)}>
          Copy
        </button>
      </div>
      <p class="minor" role="status">
        {copied === true && 'Copied.'}
        {copied === false && 'It could not be copied: select it and copy it by hand.'}
      </p>
    </div>
  )
}

interface ComposerProps {
  readonly text: string
  readonly onChange: (text: string) => void
  readonly onSay: (text: string) => void
  readonly onUpload: ((file: File) => void) | undefined
  readonly disabled: boolean
}

function Composer({ text, onChange, onSay, onUpload, disabled }: ComposerProps): VNode {
  const send = () => {
    if (text.trim() === '' || disabled) return
    onSay(text.trim())
    onChange('')
  }
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {onUpload !== undefined && <UploadButton onUpload={onUpload} />}
      <label class="sr" for="composer">
        Message to the agent
      </label>
      <textarea
        id="composer"
        rows={1}
        value={text}
        placeholder="Message, or paste one from a card"
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
          event.preventDefault()
          send()
        }}
      />
      <button type="submit" disabled={disabled || text.trim() === ''}>
        Send
      </button>
    </form>
  )
}

function UploadButton({ onUpload }: { readonly onUpload: (file: File) => void }): VNode {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="File to upload"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file !== undefined) onUpload(file)
          // The same one may be chosen again.
          currentTarget.value = ''
        }}
      />
      <button type="button" class="quiet" aria-label="Upload a file" onClick={() => input.current?.click()}>
        Upload
      </button>
    </>
  )
}
