// The rail as a chat sees it: a call, its result, a line of the person's, the call again. Nothing in here decides
// anything about a plan; that is between the card and the server.
import { useMemo } from 'preact/hooks'
import { answerTo } from './agent.ts'
import type { Connection } from '../connection/connection.ts'
import type { CallEntry, CallEnd, Entry, TranscriptEvent } from './transcript.ts'
import { troubleOf } from './trouble.ts'

export interface Conversation {
  /** The agent makes a call because it was asked to. */
  readonly ask: (tool: string, args: CallEntry['args']) => Promise<void>
  /** The person says something, by hand or through a card. */
  readonly say: (text: string, from: 'card' | 'composer') => Promise<void>
}

let made = 0
const newId = (): string => `${Date.now().toString(36)}-${(made += 1)}`

/** The two things that can be done in a conversation. */
export function useConversation(
  connection: Connection | undefined,
  tell: (event: TranscriptEvent) => void,
): Conversation {
  return useMemo(() => {
    const add = (entry: Entry) => tell({ kind: 'added', entry })
    const call = async (why: CallEntry['why'], tool: string, args: CallEntry['args']): Promise<void> => {
      if (connection === undefined) return
      const begun = { kind: 'call', id: newId(), at: Date.now(), why, tool, args, end: { kind: 'running' } } as const
      add(begun)
      const end = await connection.call(tool, args).then(
        (result): CallEnd => ({ kind: 'answered', result }),
        (error: unknown): CallEnd => ({ kind: 'failed', trouble: troubleOf(error) }),
      )
      tell({ kind: 'ended', id: begun.id, end })
    }
    return {
      ask: (tool, args) => call('asked', tool, args),
      say: async (text, from) => {
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
