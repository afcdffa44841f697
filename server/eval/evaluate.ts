// All chats of an evaluation: so many at a time, within the bounds that were promised before the start.
import type { Case } from './cases.ts'
import { ModelFailure, type Model, type Turn } from './models/model.ts'
import { play, type Played } from './play.ts'
import type { WordingName } from './wordings.ts'

/** One chat that is to be played. */
export interface Planned {
  readonly script: Case
  readonly wording: WordingName
  /** Of the repetitions of this case, from 1 on. */
  readonly run: number
}

/** One that was played to its end. */
export interface Chatted extends Planned, Played {
  readonly requests: number
  readonly tokens: Turn['tokens']
}

export interface Bounds {
  readonly requests: number
  readonly tokens: number
}

export interface Evaluated {
  readonly chats: readonly Chatted[]
  /** Everything that was sent, of chats that did not end as well. */
  readonly requests: number
  readonly tokens: Turn['tokens']
  /** Why not all of them were played. */
  readonly stopped?: { readonly why: string; readonly failure?: ModelFailure }
}

export interface EvaluateOptions {
  readonly model: (signal: AbortSignal) => Promise<Model>
  readonly plan: readonly Planned[]
  readonly concurrency: number
  readonly bounds: Bounds
  /** Aborted where the person ends it. */
  readonly signal: AbortSignal
  readonly onChat: (played: number, chat: Chatted) => void
}

/** No more may be sent. */
class OutOfBounds extends Error {}

/** Plays them. What keeps the model from answering ends it, with what is known by then. */
export async function evaluate({ plan, concurrency, bounds, onChat, ...options }: EvaluateOptions): Promise<Evaluated> {
  const ends = new AbortController()
  const signal = AbortSignal.any([options.signal, ends.signal])
  const chats: Chatted[] = []
  const spent = { requests: 0, input: 0, output: 0 }
  let stopped: Evaluated['stopped']
  const stop = (error: unknown): void => {
    // The others end, too; what they then say of that is not why.
    ends.abort()
    stopped ??= whyStopped(error, options.signal)
  }

  /** The model, with what one chat sends counted. */
  const counted = (model: Model, own: typeof spent): Model => ({
    chat: (given) => {
      const chat = model.chat(given)
      return {
        async next(step) {
          if (spent.requests >= bounds.requests) throw new OutOfBounds(`${bounds.requests} requests are sent`)
          if (spent.input + spent.output >= bounds.tokens) throw new OutOfBounds(`${bounds.tokens} tokens are used`)
          for (const sum of [spent, own]) sum.requests += 1
          const turn = await chat.next(step)
          for (const sum of [spent, own]) {
            sum.input += turn.tokens.input
            sum.output += turn.tokens.output
          }
          return turn
        },
      }
    },
  })

  const waiting = plan.values()
  const worker = async (model: Model): Promise<void> => {
    for (const planned of waiting) {
      if (signal.aborted) return
      const own = { requests: 0, input: 0, output: 0 }
      const played = await play(counted(model, own), planned.script, planned.wording)
      const { requests, input, output } = own
      const chat: Chatted = { ...planned, ...played, requests, tokens: { input, output } }
      chats.push(chat)
      onChat(chats.length, chat)
    }
  }
  try {
    const model = await options.model(signal)
    await Promise.all(Array.from({ length: concurrency }, () => worker(model).catch(stop)))
  } catch (error) {
    stop(error)
  }
  if (options.signal.aborted) stopped ??= { why: interrupted }
  const { requests, input, output } = spent
  const told = { chats: inOrder(plan, chats), requests, tokens: { input, output } }
  return stopped === undefined ? told : { ...told, stopped }
}

const interrupted = 'it was interrupted'

/** @throws what is no trouble of the model: a fault of our own. */
function whyStopped(error: unknown, signal: AbortSignal): NonNullable<Evaluated['stopped']> {
  if (signal.aborted) return { why: interrupted }
  if (error instanceof OutOfBounds) return { why: `${error.message}, which is the bound` }
  if (error instanceof ModelFailure) return { why: error.message, failure: error }
  throw error
}

/** Chats end in any order; a report has them in the order of the plan. */
const inOrder = (plan: readonly Planned[], chats: readonly Chatted[]): readonly Chatted[] =>
  plan.flatMap((one) =>
    chats.filter(({ script, wording, run }) => script === one.script && wording === one.wording && run === one.run),
  )
