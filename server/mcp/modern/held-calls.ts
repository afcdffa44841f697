// A server behind may ask the client something before it answers a call, and no server of MCP 2026-07-28 may send its client a
// request. So the client gets its call back as `input_required`, and calls again with the answers ("Multi Round-Trip
// Requests"). Meanwhile the call goes on here, with the plan that it applies and the upstream that waits: sending it anew
// could run it twice. `requestState` is the name of the call that waits, known to its client alone and good for one answer.
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { forCallOf, type CallClient } from '../../model/call-client.ts'
import type { Principal } from '../../model/principal.ts'
import type { Extra } from '../protocol.ts'

type Answer = Record<string, unknown>
type Params = Readonly<Record<string, unknown>>

/** One request as it came, and who asks. */
export interface Leg {
  readonly method: string
  /** Without what was said for this leg alone. */
  readonly params: Params
  readonly principal: Principal
  readonly capabilities: Params
  readonly progressToken: string | number | undefined
  readonly inputResponses: Params | undefined
  readonly requestState: string | undefined
  readonly extra: Extra
}

interface Question {
  readonly request: { readonly method: string; readonly params: Params }
  readonly answered: (answer: unknown) => void
  readonly refused: (error: Error) => void
}

interface Held extends Pick<Leg, 'method' | 'params' | 'principal'> {
  readonly control: AbortController
  readonly open: Map<string, Question>
  readonly answer: Promise<Answer>
  /** The request that waits for it now, if one does. */
  leg: Leg | undefined
  /** When its client has taken too long, by the steady clock. Asking again without an answer wins no time. */
  until: number
  asked: PromiseWithResolvers<void>
}

/** The requests that a server behind may answer with a question. */
const mayAsk: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read'])

/** What a client may be asked for. */
const askable = ['elicitation', 'sampling', 'roots'] as const

/**
 * How long a client may take for an answer, in milliseconds, and how many calls may wait for any: of one principal, who could
 * else take all of a server's turns, and of a process.
 */
const limits = { answerMs: 600_000, ofOne: 8, calls: 1000 } as const

const gone = 'The client has gone.'
const serverEnds = 'This server is ending.'

const invalid = (message: string): McpError =>
  Object.assign(new McpError(ErrorCode.InvalidParams, message), { message })

/** The calls of one door that wait for answers of their clients. `ending`: when nobody is waited for any more. */
export function createHeldCalls(ending?: AbortSignal) {
  const waiting = new Map<string, { readonly held: Held; readonly timer: NodeJS.Timeout }>()
  /** The calls that wait for an answer, whether or not their clients know already. */
  const asking = new Set<Held>()
  let count = 0
  /** Why nobody is asked any more. */
  let closed: string | undefined

  /** Throws where nobody would answer, or too much waits already. */
  function mayBeAsked(held: Held): void {
    if (closed !== undefined) throw new Error(closed)
    if (held.control.signal.aborted) throw new Error(gone)
    if (asking.has(held)) return
    const ofOne = [...asking].filter(({ principal }) => isDeepStrictEqual(principal, held.principal)).length
    if (ofOne >= limits.ofOne)
      throw new Error(`${limits.ofOne} calls of this client wait for its answers already; answer one of them first`)
    if (asking.size >= limits.calls) throw new Error('too many calls wait for answers of their clients')
  }

  async function ask(held: Held, request: Question['request'], signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted()
    mayBeAsked(held)
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const key = `question-${++count}`
    held.open.set(key, { request, answered: resolve, refused: reject })
    asking.add(held)
    const leave = (): void => {
      close(held, key)
      reject(signal.reason as Error)
    }
    signal.addEventListener('abort', leave, { once: true })
    // Questions that come together are handed on together.
    setImmediate(() => held.asked.resolve())
    try {
      return await promise
    } finally {
      close(held, key)
      signal.removeEventListener('abort', leave)
    }
  }

  /** A question needs no answer any more. */
  function close(held: Held, key: string): void {
    held.open.delete(key)
    if (held.open.size === 0) asking.delete(held)
  }

  /** Nobody may answer by this name any more. */
  function forget(requestState: string): void {
    clearTimeout(waiting.get(requestState)?.timer)
    waiting.delete(requestState)
  }

  function begin(leg: Leg, work: (extra: Extra) => Promise<Answer>): Held {
    const { method, params, principal, capabilities } = leg
    const control = new AbortController()
    const client: CallClient = {
      capabilities: Object.fromEntries(
        askable.flatMap((name) => (capabilities[name] === undefined ? [] : [[name, capabilities[name]]])),
      ),
      request: (asked, about, signal) => ask(held, { method: asked, params: about }, signal),
    }
    const extra: Extra = {
      signal: control.signal,
      sendNotification: async (notification) => {
        const { progressToken, extra: now } = held.leg ?? {}
        if (progressToken === undefined) return
        await now?.sendNotification?.({ ...notification, params: { ...notification.params, progressToken } })
      },
    }
    const held: Held = {
      method,
      params,
      principal,
      control,
      leg,
      until: performance.now() + limits.answerMs,
      open: new Map(),
      asked: Promise.withResolvers<void>(),
      // Not before it is there for what the work asks.
      answer: Promise.resolve().then(() => forCallOf(client, () => work(extra))),
    }
    // Whoever waits for it hears of it; nobody may.
    void held.answer
      .catch(() => undefined)
      .finally(() => {
        // Its answer is for whoever asks what became of it, and nobody waits for one of its client's.
        for (const [requestState, { held: over }] of waiting) if (over === held) forget(requestState)
        refuse(held, 'The call is over.')
      })
    return held
  }

  /** Hands the answers over, and answers the call that they are for. */
  function resume({ method, params, principal, inputResponses = {}, requestState = '' }: Leg): Held {
    const found = waiting.get(requestState)
    const { held } = found ?? {}
    if (found === undefined || held === undefined || !isDeepStrictEqual(held.principal, principal))
      throw invalid(
        'No call waits for these answers here: it is over, it was answered before, or it has waited too long. Make the call again without requestState; of a change that has run, or still runs, the answer says so.',
      )
    if (held.method !== method || !isDeepStrictEqual(held.params, params))
      throw invalid('requestState belongs to another call. Send its method and params as they were, with the answers.')
    forget(requestState)
    for (const [key, question] of held.open)
      if (Object.hasOwn(inputResponses, key)) {
        close(held, key)
        held.until = performance.now() + limits.answerMs
        question.answered(inputResponses[key])
      }
    return held
  }

  /** Refuses what is open of a call. */
  function refuse({ open }: Held, why: string): void {
    for (const { refused } of open.values()) refused(new Error(why))
  }

  function closeAll(why: string): void {
    closed ??= why
    for (const requestState of waiting.keys()) forget(requestState)
    for (const held of asking) refuse(held, why)
  }
  // Else each of them would keep the process for as long as it waits for calls that run.
  ending?.addEventListener('abort', () => closeAll(serverEnds), { once: true })

  /** The questions that are open, as an answer after which the client calls again. */
  function questionsOf(held: Held): Answer {
    const requestState = randomUUID()
    const giveUp = (): void => {
      forget(requestState)
      refuse(held, 'The client has not answered in time.')
    }
    const timer = setTimeout(giveUp, Math.max(0, held.until - performance.now()))
    timer.unref()
    waiting.set(requestState, { held, timer })
    const inputRequests = Object.fromEntries([...held.open].map(([key, { request }]) => [key, request]))
    return { resultType: 'input_required', inputRequests, requestState }
  }

  async function wait(held: Held, leg: Leg): Promise<Answer> {
    const { signal } = leg.extra
    const end = (): void => {
      held.control.abort(signal.reason)
      // Nobody has heard what is asked.
      refuse(held, gone)
    }
    if (signal.aborted) end()
    signal.addEventListener('abort', end, { once: true })
    held.leg = leg
    try {
      for (;;) {
        // Those without an answer are asked again.
        if (held.open.size === 0) held.asked = Promise.withResolvers<void>()
        const answer = await Promise.race([held.answer, held.asked.promise])
        if (answer !== undefined) return answer
        if (held.open.size > 0) return questionsOf(held)
      }
    } finally {
      held.leg = undefined
      signal.removeEventListener('abort', end)
    }
  }

  return {
    /** Answers one request by `work`, or with what its client has to answer first. Throws the error to answer with. */
    async answer(leg: Leg, work: (extra: Extra) => Promise<Answer>): Promise<Answer> {
      if (leg.requestState !== undefined) return wait(resume(leg), leg)
      const canBeAsked = mayAsk.has(leg.method) && askable.some((name) => leg.capabilities[name] !== undefined)
      if (!canBeAsked) return work(leg.extra)
      return wait(begin(leg, work), leg)
    },
    /** Ends what waits for a client that has gone: nobody would answer, and the servers behind would wait. */
    close: () => closeAll(gone),
  }
}

export type HeldCalls = ReturnType<typeof createHeldCalls>
