// One example in the real frame: the same sandbox, the same bridge and the same card as in the chat. Only the server
// behind it is a sentence of the fixture's.
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js'
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { packedWords } from '../../../server/cards/card-words.ts'
import { Note } from '../../parts/alert.tsx'
import type { HostProfile } from '../../../server/testing/host/profiles.ts'
import type { ViewResource } from '../connection/connection.ts'
import { hostContext, type Theme } from '../chat/theme.ts'
import { mountView } from '../connection/view-bridge.ts'
import { createWireLog } from '../connection/wire.ts'
import type { Example } from './examples.ts'

interface GalleryCardProps {
  readonly example: Example
  readonly view: ViewResource
  readonly sandbox: string
  readonly profile: HostProfile
  readonly theme: Theme
  readonly locale: string
  readonly timeZone: string
  readonly width: number
}

/** The words around an example are in the language that is looked at; its own are in English. */
const resultOf = ({ card }: Example, language: string): CallToolResult => ({
  content: [{ type: 'text', text: `**${card.title}**\n\nThis is what the text of the result says.` }],
  structuredContent: {
    status: card.kind === 'preview' ? 'previewed' : card.state,
    tool: card.tool,
    summary: card.title,
    plan_id: card.plan?.id ?? card.plan_id,
  },
  ...(card.kind === 'error' ? { isError: true } : {}),
  _meta: { 'countersign/card': { ...card, language }, 'countersign/words': packedWords(language) },
})

/** A plan that stands where the fixture says, except that Cancel cancels it. */
const scripted = ({ plan, reads }: Example) => {
  let state = plan
  const read = reads?.()
  return (name: string, args: Readonly<Record<string, unknown>>): Promise<CallToolResult> => {
    if (state === 'silent') return new Promise(() => {})
    if (state === 'open' && name === 'countersign_plan_cancel') state = 'cancelled'
    return Promise.resolve({
      content: [{ type: 'text', text: state }],
      structuredContent: {
        plan_id: 'pl_gallery',
        state,
        changed_at: '2026-11-21T12:03:00Z',
        clicked: name === 'countersign_plan_confirm',
        ...(state === 'open' ? { expires_in_ms: 872_000 } : {}),
        ...(state === 'applying' ? { running_ms: 12_000, cancel: 'possible' } : {}),
      },
      _meta: {
        ...read?.(name, args),
        ...(state === 'applying' ? { 'countersign/progress': { done: 3, total: 10, message: 'Lines' } } : {}),
      },
    })
  }
}

const foreign: CallToolResult = {
  content: [{ type: 'text', text: 'A result of quite another call' }],
  structuredContent: { status: 'applied', plan_id: 'pl_another', summary: 'A result of quite another call' },
}

/** The card of an example under these settings. Its parent gives it a new key when they change. */
export function GalleryCard(props: GalleryCardProps): VNode {
  const { example, view, sandbox, profile, theme, locale, timeZone, width } = props
  const frame = useRef<HTMLIFrameElement>(null)
  const [said, setSaid] = useState('')
  useEffect(() => {
    const element = frame.current
    if (element === null) return undefined
    const answer = scripted(example)
    const tool = { name: example.card.tool, inputSchema: { type: 'object' } } satisfies Tool
    const mounted = mountView(
      element,
      sandbox,
      {
        view,
        args: {},
        result: resultOf(example, locale.slice(0, 2)),
        profile,
        context: { ...hostContext(theme, width), locale, timeZone, toolInfo: { tool } },
      },
      {
        callTool: ({ name, arguments: args = {} }) => answer(name, args),
        readResource: () => Promise.reject(new Error('There is nothing to read here.')),
        message: setSaid,
        prefill: (text) => {
          setSaid(`In the message box: ${text}`)
          return true
        },
        // Nobody has a message box here; a host that refuses has one with something in it.
        isEmpty: () => false,
        resized: (height) => (element.style.height = `${Math.min(Math.ceil(height), 4000)}px`),
        ready: () => {
          if (profile.foreign) setTimeout(() => void mounted.then((one) => one.sendForeign(foreign)), 500)
        },
      },
      createWireLog(),
    )
    return () => void mounted.then((one) => one.unmount())
  }, [])
  return (
    <figure class="example" data-theme={theme} id={example.id}>
      <figcaption>
        <a href={`#only=${example.id}`}>{example.title}</a>
      </figcaption>
      {profile.apps ? (
        <div class="card-frame shown">
          <iframe ref={frame} title={example.title} style={{ width: `${width}px` }} />
        </div>
      ) : (
        <Note tone="plain" sign="…">
          This host draws no cards. The agent reads the text instead.
        </Note>
      )}
      {said !== '' && <p class="said-here">{said}</p>}
    </figure>
  )
}
