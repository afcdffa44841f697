// A view can fail in more ways than it can work: its HTML is missing, its script is blocked, it never says hello. The
// person must still learn what the call said, so the text stands in until the view is there, and stays if it never is.
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Connection } from './connection.ts'
import type { HostProfile } from '../../../server/testing/host/profiles.ts'
import { Note } from '../../parts/alert.tsx'
import type { Reader } from '../../parts/reader.ts'
import { ResultText } from '../chat/result-text.tsx'
import type { HostContext } from '../chat/theme.ts'
import type { ToolFacts } from '../tools/tool-facts.ts'
import type { CallEntry } from '../chat/transcript.ts'
import { troubleOf } from '../chat/trouble.ts'
import type { MountedView } from './view-bridge.ts'
import type { WireLog } from './wire.ts'

export interface FrameHost {
  readonly connection: Connection
  readonly sandbox: string
  readonly wire: WireLog
  /** Made when it is asked for: it reads all of the page's styles. */
  readonly context: () => HostContext
  readonly onMessage: (text: string) => void
  readonly profile: HostProfile
  readonly prefill: (text: string) => boolean
  readonly isEmpty: () => boolean
  /** Calls that were there before this page was loaded. */
  readonly old: ReadonlySet<string>
  /** Views that must be told before the conversation is cleared. */
  readonly mounted: Set<MountedView>
}

interface CardFrameProps {
  readonly call: CallEntry
  readonly result: CallToolResult
  readonly tool: ToolFacts
  readonly viewUri: string
  readonly host: FrameHost
  readonly reader: Reader
}

type FrameState = { readonly kind: 'loading' | 'shown' } | { readonly kind: 'failed'; readonly message: string }

const patienceMs = 10_000

/** The result of a call, drawn by the tool's view in a sandboxed double frame. */
export function CardFrame({ call, result, tool, viewUri, host, reader }: CardFrameProps): VNode {
  const frame = useRef<HTMLIFrameElement>(null)
  const view = useRef<MountedView | undefined>(undefined)
  const [state, setState] = useState<FrameState>({ kind: 'loading' })
  const [drawing, setDrawing] = useState(0)
  const latest = useRef(host)
  latest.current = host

  useEffect(() => {
    let gone = false
    const failed = (message: string) => !gone && setState({ kind: 'failed', message })
    const patience = setTimeout(() => failed('The card did not start within 10 seconds.'), patienceMs)
    const forgets = host.profile.remount === 'emptied' && (drawing > 0 || host.old.has(call.id))
    const start = async () => {
      const resource = await host.connection.view(viewUri)
      const element = frame.current
      if (gone || element === null) return
      const context = { ...latest.current.context(), toolInfo: { tool: tool.definition } }
      const mounted = await host.connection.mountView(
        element,
        host.sandbox,
        { view: resource, args: call.args, result: forgets ? undefined : result, context, profile: host.profile },
        {
          callTool: (params) => host.connection.callFromView(params),
          readResource: (uri) => host.connection.read(uri),
          message: (text) => latest.current.onMessage(text),
          prefill: (text) => latest.current.prefill(text),
          isEmpty: () => latest.current.isEmpty(),
          resized: (height) => (element.style.height = `${Math.min(Math.ceil(height), 4000)}px`),
          ready: () => {
            clearTimeout(patience)
            if (!gone) setState({ kind: 'shown' })
          },
        },
        host.wire,
      )
      view.current = mounted
      host.mounted.add(mounted)
    }
    start().catch((error: unknown) => failed(troubleOf(error).message))
    return () => {
      gone = true
      clearTimeout(patience)
      if (view.current === undefined) return
      host.mounted.delete(view.current)
      void view.current.unmount()
    }
  }, [call.id, host.connection, drawing])

  useEffect(() => {
    view.current?.update({ ...host.context(), toolInfo: { tool: tool.definition } })
  }, [host.context])

  return (
    <>
      {state.kind === 'failed' && (
        <Note tone="warning" sign="!" spoken="Warning">
          <b>{state.message}</b> Here is what the call said.
        </Note>
      )}
      {state.kind === 'failed' ? (
        <ResultText result={result} reader={reader} />
      ) : (
        <div class={`card-frame ${state.kind}`}>
          {state.kind === 'loading' && <span class="loading">Loading the card…</span>}
          <iframe key={drawing} ref={frame} title={`Card of ${tool.title}`} />
        </div>
      )}
      {host.profile.remount !== 'never' && (
        <button
          type="button"
          class="quiet small"
          onClick={() => {
            setState({ kind: 'loading' })
            setDrawing(drawing + 1)
          }}
        >
          Draw the card again, as this host does
        </button>
      )}
    </>
  )
}
