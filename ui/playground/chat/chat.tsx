import type { VNode } from 'preact'
import { useRef } from 'preact/hooks'
import type { Reader } from '../../parts/reader.ts'
import type { FrameHost } from '../connection/card-frame.tsx'
import { EntryView } from './entries.tsx'
import type { Suggestion } from './suggestions.ts'
import { signsWrites, type ToolFacts } from '../tools/tool-facts.ts'
import type { Entry } from './transcript.ts'
import { useStickToEnd } from './use-stick-to-end.ts'

interface ChatProps {
  readonly entries: readonly Entry[]
  readonly host: FrameHost | undefined
  readonly tools: readonly ToolFacts[]
  readonly suggestions: readonly Suggestion[]
  readonly onSuggest: (suggestion: Suggestion) => void
  readonly onSay: (text: string) => void
  /** Absent where the server takes no files. */
  readonly onUpload: ((file: File) => void) | undefined
  readonly composed: string
  readonly onCompose: (text: string) => void
  readonly reader: Reader
}

/** The conversation and its composer. */
export function Chat(props: ChatProps): VNode {
  const { entries, host, tools, suggestions, onSuggest, onSay, onUpload, composed, onCompose, reader } = props
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  useStickToEnd(scroller, content, entries.length || undefined)
  return (
    <>
      <div class="scroller" ref={scroller}>
        <div class="conversation" ref={content} role="log" aria-live="polite" aria-label="Conversation">
          {entries.length === 0 && host !== undefined && (
            <FirstSteps signs={signsWrites(tools)} suggestions={suggestions} onSuggest={onSuggest} />
          )}
          {entries.map((entry) => (
            <EntryView key={entry.id} entry={entry} host={host} tools={tools} reader={reader} />
          ))}
        </div>
      </div>
      {entries.length > 0 && host !== undefined && <NextSteps suggestions={suggestions} onSuggest={onSuggest} />}
      <Composer text={composed} onChange={onCompose} onSay={onSay} onUpload={onUpload} disabled={host === undefined} />
    </>
  )
}

function FirstSteps({
  signs,
  suggestions,
  onSuggest,
}: {
  readonly signs: boolean
  readonly suggestions: readonly Suggestion[]
  readonly onSuggest: (suggestion: Suggestion) => void
}): VNode {
  return (
    <div class="first-steps">
      {signs ? (
        <>
          <h1>Nothing happens until you sign.</h1>
          <p>
            Here the agent is a script and you tell it what to call. What would change comes back as a card; your click
            on it becomes a line in this chat, and only then is the call made.
          </p>
        </>
      ) : (
        <>
          <h1>This server decides what a call does.</h1>
          <p>
            Here the agent is a script and you tell it what to call. A tool that changes something may do so at once,
            without asking anybody. <code>countersign wrap</code> in front of this server makes it ask first.
          </p>
        </>
      )}
      {suggestions.length > 0 && (
        <ul aria-label="First steps">
          {suggestions.map((one) => (
            <li key={one.label}>
              <button type="button" onClick={() => onSuggest(one)}>
                <b>{one.label}</b>
                <span>{one.hint}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** What has not been tried yet, below a conversation that goes on. */
function NextSteps({ suggestions, onSuggest }: Pick<ChatProps, 'suggestions' | 'onSuggest'>): VNode | null {
  if (suggestions.length === 0) return null
  return (
    <ul class="next-steps" aria-label="Next steps">
      {suggestions.map((one) => (
        <li key={one.label}>
          <button type="button" title={one.hint} onClick={() => onSuggest(one)}>
            {one.label}
          </button>
        </li>
      ))}
    </ul>
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
