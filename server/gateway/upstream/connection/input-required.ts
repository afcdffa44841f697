// A server of MCP 2026-07-28 asks nothing by itself. It answers a request with what it needs to know first (`input_required`),
// and the same request is sent once more with the answers: "Multi Round-Trip Requests" of the specification. That is no
// repetition of a call: the server has ended the one before without doing what it was for.
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { BadAnswer, FailedAfterQuestion, InputUnanswered, plain } from './call-failure.ts'
import type { SeenClient } from './downstream-client.ts'
import { stripOurKeys } from './wire/reserved-meta.ts'
import type { Questions } from './wire/wire.ts'

type Params = Readonly<Record<string, unknown>>

const question = z.looseObject({ method: z.string(), params: z.looseObject({}).optional() })
const inputRequired = z.looseObject({
  resultType: z.literal('input_required'),
  inputRequests: z.record(z.string(), question).optional(),
  requestState: z.string().optional(),
})

type Question = z.infer<typeof question>

/** The requests to which a server may answer so. */
const mayAsk: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read'])

/** More than any server needs, and an end for one that never has enough. */
const limits = { rounds: 20, questions: 20, letters: 256 * 1024 } as const

/** What it waits before it asks again a server that only wants to be asked again. In milliseconds, doubled each time. */
const pause = { firstMs: 250, longestMs: 10_000 } as const

interface Asking {
  /** Who can answer. */
  readonly client: SeenClient | undefined
  readonly questions: Questions
  readonly signal: AbortSignal
}

/**
 * Sends a request until the server has all that it asks for.
 * @throws {InputUnanswered} where the client cannot or does not answer: the server then waits for something that never comes.
 */
export async function withInput(
  method: string,
  params: Params,
  send: (params: Params) => Promise<unknown>,
  { client, questions, signal }: Asking,
): Promise<unknown> {
  let next = params
  let pauseMs: number = pause.firstMs
  for (let round = 0; ; round++) {
    const answer = await send(next).catch((error: unknown) => {
      // An abort says by itself that nothing is known of the work.
      throw round === 0 || signal.aborted ? error : new FailedAfterQuestion(error)
    })
    if ((answer as { readonly resultType?: unknown } | null)?.resultType !== 'input_required') return answer
    const read = inputRequired.safeParse(answer)
    if (!read.success || !mayAsk.has(method)) throw new BadAnswer('what it asks for before it answers cannot be read')
    const { inputRequests, requestState } = read.data
    const asked = Object.entries(inputRequests ?? {})
    if (round === limits.rounds || asked.length > limits.questions)
      throw new InputUnanswered('asks for more and more before it answers', 'Look at what it asks, or at its log.')
    if (JSON.stringify(answer).length > limits.letters)
      throw new InputUnanswered(
        `asks for something of more than ${limits.letters / 1024} KB before it answers`,
        'Look at what it asks, or at its log.',
      )
    const state = requestState === undefined ? {} : { requestState }
    if (asked.length === 0) {
      // It wants to be asked again, as a server does that has too much to do.
      await wait(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted())
      pauseMs = Math.min(2 * pauseMs, pause.longestMs)
      next = { ...params, ...state }
      continue
    }
    for (const [, each] of asked) refuseUnaskable(each, client)
    const inputResponses = await questions.during(() => answersTo(asked, client, signal))
    next = { ...params, inputResponses, ...state }
  }
}

async function answersTo(
  asked: readonly (readonly [string, Question])[],
  client: SeenClient | undefined,
  signal: AbortSignal,
): Promise<Params> {
  // Where one is not answered, nobody waits for the others.
  const enough = new AbortController()
  const until = AbortSignal.any([signal, enough.signal])
  try {
    const answers = await Promise.all(
      asked.map(async ([key, { method, params = {} }]) => {
        try {
          return [key, await client?.request(method, stripOurKeys(params), until)] as const
        } catch (error) {
          if (signal.aborted) throw error
          throw new InputUnanswered(
            `asked its client for ${named(method)} before it answers, and got an error: ${plain(error)}`,
            'Make the call again, and answer what is asked.',
          )
        }
      }),
    )
    return Object.fromEntries(answers)
  } finally {
    enough.abort()
  }
}

/** What a client must announce to be asked so. */
const needs: Readonly<Record<string, string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
}

const elicitationModes = z.looseObject({ form: z.unknown().optional(), url: z.unknown().optional() })

const named = (method: string): string => JSON.stringify(method.slice(0, 100))

/** A server may ask only for what its client has announced. */
function refuseUnaskable({ method, params }: Question, client: SeenClient | undefined): void {
  const capability = Object.hasOwn(needs, method) ? needs[method] : undefined
  if (capability === undefined) throw new BadAnswer(`it asks for ${named(method)}, which MCP does not have`)
  const announced: unknown = (client?.capabilities as Params | undefined)?.[capability]
  const byAddress = capability === 'elicitation' && params?.['mode'] === 'url'
  const modes = elicitationModes.safeParse(capability === 'elicitation' ? announced : undefined).data
  // Without a word of either mode a client has forms, as clients had before there were two.
  const byForm = modes !== undefined && (modes.form !== undefined || modes.url === undefined)
  if (capability !== 'elicitation' ? announced !== undefined : byAddress ? modes?.url !== undefined : byForm) return
  throw new InputUnanswered(
    `asks for ${named(method)} before it answers, which the client of this call cannot be asked`,
    `Make the call from a client that announces \`${byAddress ? 'elicitation.url' : capability}\`.`,
  )
}
