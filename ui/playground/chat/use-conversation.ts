// The rail as a chat sees it: a call, its result, a line of the person's, the call again. Nothing in here decides
// anything about a plan; that is between the card and the server.
import { useMemo } from 'preact/hooks'
import { answerTo } from './agent.ts'
import type { Connection } from '../connection/connection.ts'
import { askModel } from './model.ts'
import { relayed } from '../connection/relayed.ts'
import type { ModelSettings } from '../sessions/settings.ts'
import type { CallEntry, CallEnd, Entry, TranscriptEvent } from './transcript.ts'
import { troubleOf } from './trouble.ts'

export interface Conversation {
  /** The agent makes a call because it was asked to. */
  readonly ask: (tool: string, args: CallEntry['args']) => Promise<void>
  /** The person says something, by hand or through a card. */
  readonly say: (text: string, from: 'card' | 'composer') => Promise<void>
}

/** Who plays the agent, and what it may know. */
export interface AgentOptions {
  readonly model: ModelSettings
  readonly pageSecret: string
  readonly history: () => readonly Entry[]
}

let made = 0
const newId = (): string => `${Date.now().toString(36)}-${(made += 1)}`

/** A model that only ever calls tools is stopped; a person would have pressed a button by then. */
const mostTurns = 8

/** The two things that can be done in a conversation. */
export function useConversation(
  connection: Connection | undefined,
  tell: (event: TranscriptEvent) => void,
  { model, pageSecret, history }: AgentOptions,
): Conversation {
  return useMemo(() => {
    const add = (entry: Entry) => tell({ kind: 'added', entry })
    const reply = (text: string): Entry => {
      const entry: Entry = { kind: 'agent', id: newId(), at: Date.now(), text }
      add(entry)
      return entry
    }
    const call = async (
      why: CallEntry['why'],
      tool: string,
      args: CallEntry['args'],
    ): Promise<CallEntry | undefined> => {
      if (connection === undefined) return undefined
      const begun = { kind: 'call', id: newId(), at: Date.now(), why, tool, args, end: { kind: 'running' } } as const
      add(begun)
      const end = await connection.call(tool, args).then(
        (result): CallEnd => ({ kind: 'answered', result }),
        (error: unknown): CallEnd => ({ kind: 'failed', trouble: troubleOf(error) }),
      )
      tell({ kind: 'ended', id: begun.id, end })
      return { ...begun, end }
    }
    const script = async (text: string): Promise<void> => {
      const move = answerTo(text, (name) =>
        (connection?.tools ?? []).some((tool) => tool.name === name && tool.forModel),
      )
      if (move.kind === 'call') await call(move.why, move.tool, move.args)
      else reply(move.text)
    }
    const converse = async (person: Entry): Promise<void> => {
      const tools = (connection?.tools ?? []).filter((tool) => tool.forModel)
      const instructions = connection?.instructions ?? ''
      let entries = [...history().filter(({ id }) => id !== person.id), person]
      for (let turns = 0; turns < mostTurns; turns += 1) {
        const turn = await askModel(relayed(pageSecret), { settings: model, instructions, tools, entries })
        if (turn.text !== '') entries = [...entries, reply(turn.text)]
        if (turn.calls.length === 0) return
        for (const { tool, args } of turn.calls) {
          const ended = await call('asked', tool, args)
          if (ended !== undefined) entries = [...entries, ended]
        }
      }
      reply(`I stopped after ${mostTurns} turns of calls.`)
    }
    return {
      ask: async (tool, args) => void (await call('asked', tool, args)),
      say: async (text, from) => {
        const person: Entry = { kind: 'person', id: newId(), at: Date.now(), from, text }
        add(person)
        if (model.kind === 'script') return script(text)
        return converse(person).catch((error: unknown) => {
          const { message, next } = troubleOf(error)
          reply(`The model could not be asked: ${message} ${next}`)
        })
      },
    }
  }, [connection, tell, model, pageSecret])
}
