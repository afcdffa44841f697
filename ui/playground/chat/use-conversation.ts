// The rail as a chat sees it: a call, its result, a line of the person's, the call again. Nothing in here decides
// anything about a plan; that is between the card and the server.
import { useMemo } from 'preact/hooks'
import { aboutFile, answerTo } from './agent.ts'
import type { Connection } from '../connection/connection.ts'
import type { CallEntry, CallEnd, CallProgress, Entry, TranscriptEvent, UploadedFile } from './transcript.ts'
import { troubleOf, type Trouble } from './trouble.ts'

let made = 0
const newId = (): string => `${Date.now().toString(36)}-${(made += 1)}`

/** The calls that this page waits for, by their entries. */
const running = new Map<string, AbortController>()

/** Asks the server to end a call that runs (MCP `notifications/cancelled`), and waits for it no longer. */
export const cancelCall = (id: string): void => running.get(id)?.abort()

const cancelled: Trouble = {
  message: 'You stopped waiting for this call before it answered.',
  next: 'What it has done by then is done. If it was an Apply, send the same message again: a confirmed plan never runs twice, and its recorded outcome comes back.',
  reload: false,
}

/** What can be done in a conversation. */
export function useConversation(connection: Connection | undefined, tell: (event: TranscriptEvent) => void) {
  return useMemo(() => {
    const add = (entry: Entry) => tell({ kind: 'added', entry })
    const call = async (why: CallEntry['why'], tool: string, args: CallEntry['args']): Promise<CallEnd | undefined> => {
      if (connection === undefined) return undefined
      const begun = { kind: 'call', id: newId(), at: Date.now(), why, tool, args, end: { kind: 'running' } } as const
      add(begun)
      const control = new AbortController()
      running.set(begun.id, control)
      const { signal } = control
      const onProgress = (progress: CallProgress): void =>
        tell({ kind: 'ended', id: begun.id, end: { kind: 'running', progress } })
      const end = await connection.call(tool, args, { signal, onProgress }).then(
        (result): CallEnd => ({ kind: 'answered', result }),
        (error: unknown): CallEnd => ({ kind: 'failed', trouble: signal.aborted ? cancelled : troubleOf(error) }),
      )
      running.delete(begun.id)
      tell({ kind: 'ended', id: begun.id, end })
      return end
    }
    const repeat = (tool: string, args: CallEntry['args'], ticket: string) =>
      call('repeats', tool, { ...args, ticket, preview: false })
    return {
      /** The person has put a file into the conversation. */
      attach: (file: UploadedFile): void => {
        const text = `I have uploaded “${file.name}”.`
        add({ kind: 'person', id: newId(), at: Date.now(), from: 'composer', text, file })
        add({ kind: 'agent', id: newId(), at: Date.now(), text: aboutFile(file) })
      },
      /** The agent makes a call because it was asked to. */
      ask: (tool: string, args: CallEntry['args']) => call('asked', tool, args),
      /** The agent makes a call and does not wait for the person: it names the plan, which stands in what it reads. */
      goAhead: async (tool: string, args: CallEntry['args']) => {
        const end = await call('asked', tool, args)
        const plan = end?.kind === 'answered' ? end.result.structuredContent?.['plan_id'] : undefined
        if (typeof plan === 'string') await repeat(tool, args, plan)
      },
      /** The agent repeats a call that waited for somebody. */
      repeat,
      /** Somebody else has done something. */
      meanwhile: (text: string) => add({ kind: 'meanwhile', id: newId(), at: Date.now(), text }),
      /** The person says something, by hand or through a card. */
      say: async (text: string, from: 'card' | 'composer') => {
        add({ kind: 'person', id: newId(), at: Date.now(), from, text })
        const move = answerTo(text, (name) =>
          (connection?.tools ?? []).some((tool) => tool.name === name && tool.forModel),
        )
        if (move.kind === 'call') await call(move.why, move.tool, move.args)
        else add({ kind: 'agent', id: newId(), at: Date.now(), text: move.text })
      },
    }
  }, [connection, tell])
}
