// A call that did not come back is two very different things: one that never left, and one that may have done its work.
// Whoever reads the error must know which, because the first may be repeated and the second must be looked at.
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { needOf, needText, type LoginNeed } from '../login/login-need.ts'

export interface CallFailure {
  readonly kind:
    | 'unavailable'
    | 'busy'
    | 'refused'
    | 'login'
    | 'error'
    | 'timed-out'
    | 'cancelled'
    | 'lost'
    | 'bad-answer'
  /** `not-sent`: no tool has run. Otherwise nobody on this side can say. */
  readonly effect: 'not-sent' | 'may-have-happened'
  readonly message: string
  /** What the server itself said, where it said anything. */
  readonly said?: string
  /** JSON-RPC error code and data of the upstream's own error. */
  readonly code?: number
  readonly data?: unknown
  readonly retryAfterMs?: number
  /** What a person has to do first, where `kind` is `login`. */
  readonly need?: LoginNeed
}

const failing =
  (effect: CallFailure['effect']) =>
  (
    kind: CallFailure['kind'],
    message: string,
    more: Pick<CallFailure, 'said' | 'code' | 'data' | 'retryAfterMs' | 'need'> = {},
  ): CallFailure => ({ kind, effect, message, ...more })

/** What a server answered is not what MCP asks for: the message says what of it. */
export class BadAnswer extends Error {
  override readonly name = 'BadAnswer'
}

/** A server asks for something before it answers, and does not get it. */
export class InputUnanswered extends Error {
  override readonly name = 'InputUnanswered'
  /** What to do. */
  readonly next: string
  /** `problem` begins with what the server does, as after its name. */
  constructor(problem: string, next: string) {
    super(problem)
    this.next = next
  }
}

/**
 * A request failed after the server had taken it up and asked for something: it may have done a part of the work before, whatever
 * the error would say of a request that it had never seen.
 */
export class FailedAfterQuestion extends Error {
  override readonly name = 'FailedAfterQuestion'
  constructor(error: unknown) {
    super(withoutCode(plain(error)))
  }
}

/** A call that never left. */
export const notSent = failing('not-sent')

/** A call that may have done its work. */
export const mayHaveHappened = failing('may-have-happened')

/** Two codes that the SDK itself puts on a request that got no answer. */
export const codes: { readonly closed: number; readonly timedOut: number } = {
  closed: ErrorCode.ConnectionClosed,
  timedOut: ErrorCode.RequestTimeout,
}

/**
 * Errors of the protocol itself: the upstream read the request and ran nothing (JSON-RPC 2.0, section 5.1). "Invalid
 * params" is not among them: the arguments fit the tool's schema when they left, so it is the tool that did not like
 * them, and it may have worked until then.
 */
const refusals: ReadonlySet<number> = new Set([
  ErrorCode.ParseError,
  ErrorCode.InvalidRequest,
  ErrorCode.MethodNotFound,
  // Of MCP 2026-07-28: headers that say something else than the body, and a version that is not spoken.
  -32020,
  -32022,
])

/**
 * Of MCP 2026-07-28: the request needs something of its client that it has not announced. It may come in the middle of the
 * work, where the server has just found out.
 */
const missingCapability = -32021

/**
 * The two answers of HTTP that come before the body is looked at. Any other one may come from a server that has done the
 * work, or from a proxy that gave up on one; who knows its server better says so in `not_run_statuses`.
 */
const earlyRefusals: readonly number[] = [401, 413]

/** The network's word that no connection was ever made. */
const unreached: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** What a thrown error of the SDK says of a request that was handed to it. */
export function readCallError(
  error: unknown,
  facts: {
    readonly cancelled: boolean
    readonly server: string
    /** HTTP statuses with which this server says that it did nothing. */
    readonly notRun?: readonly number[] | undefined
  },
): CallFailure {
  const { cancelled, server, notRun = [] } = facts
  const need = needOf(error)
  if (need !== undefined) return ofLogin(need)
  if (cancelled) return mayHaveHappened('cancelled', `The call was cancelled while ${server} was working on it.`)
  if (error instanceof McpError) return ofProtocol(error, server)
  if (error instanceof InputUnanswered)
    return mayHaveHappened('lost', `${server} ${error.message}. Nothing more was sent to it. ${error.next}`)
  if (error instanceof FailedAfterQuestion)
    return mayHaveHappened(
      'lost',
      `${server} had taken up the call and asked for something; then the call failed: ${inQuotes(error.message)}`,
    )
  if (error instanceof BadAnswer)
    return mayHaveHappened('bad-answer', `${server} answered what is not MCP: ${inQuotes(plain(error))}.`)
  if (isNotConnected(error)) return notSent('unavailable', `${server} is not connected.`)
  const status = httpStatus(error)
  if (status !== undefined)
    return earlyRefusals.includes(status) || notRun.includes(status)
      ? notSent('refused', `${server} refused the request (HTTP ${status}).`)
      : mayHaveHappened('lost', `${server} answered HTTP ${status} instead of a result.`)
  return isUnreached(error)
    ? notSent('unavailable', `${server} cannot be reached (${networkCode(error)}).`)
    : mayHaveHappened('lost', `The connection to ${server} broke during the call: ${plain(error)}`)
}

/** No tool has run: nothing was sent, or its token was refused before anything was carried out (RFC 6750, section 3.1). */
export const ofLogin = (need: LoginNeed): CallFailure =>
  need.command === undefined
    ? notSent('unavailable', `${needText(need)} Nothing was run.`, { retryAfterMs: need.kind === 'renewed' ? 0 : 5000 })
    : notSent('login', `${needText(need)} Nothing was run.`, { need })

/** Words of a server between marks that cannot stand in them, so that nobody takes them for ours. */
export const inQuotes = (words: string): string => `“${words.toWellFormed().replace(/[“”]/g, "'")}”`

/** What a server said, without what its SDK puts before it. */
const withoutCode = (message: string): string => message.replace(/^MCP error -?\d+: /, '')

function ofProtocol({ message, code, data }: McpError, server: string): CallFailure {
  const said = withoutCode(message).slice(0, 500)
  const own = { said, code, ...(data === undefined ? {} : { data }) }
  if (code === codes.closed) return mayHaveHappened('lost', `${server} went away during the call.`, own)
  if (code === codes.timedOut) return mayHaveHappened('timed-out', `${server} did not answer in time.`, own)
  if (code === missingCapability)
    return mayHaveHappened(
      'lost',
      `${server} has to ask its client something that this client cannot be asked: ${inQuotes(said)} Make the call from a client that can.`,
      own,
    )
  return refusals.has(code)
    ? notSent('refused', `${server} refused the call: ${inQuotes(said)}`, own)
    : mayHaveHappened('error', `${server} answered with an error: ${inQuotes(said)}`, own)
}

const isNotConnected = (error: unknown): boolean => error instanceof Error && error.message === 'Not connected'

/** The SDK's HTTP errors carry the status as `code`; told by shape, as another copy of the SDK would throw its own class. */
export function httpStatus(error: unknown): number | undefined {
  if (!(error instanceof Error) || error.name === 'ZodError') return undefined
  const { code } = error as { code?: unknown }
  if (typeof code === 'number') return code >= 300 && code < 600 ? code : undefined
  // What the old transport could not send says it in words only.
  const inWords = /^Error POSTing to endpoint \(HTTP (\d{3})\)/.exec(error.message)?.[1]
  return inWords === undefined ? undefined : Number(inWords)
}

/** Finds the system's error code below "fetch failed". */
function networkCode(error: unknown): string | undefined {
  for (let held = error, depth = 0; held instanceof Error && depth < 4; held = held.cause, depth++) {
    const { code } = held as { code?: unknown }
    if (typeof code === 'string') return code
  }
  return undefined
}

/** Whether no connection was ever made. */
export function isUnreached(error: unknown): boolean {
  const code = networkCode(error)
  return code !== undefined && unreached.has(code)
}

/** An error's message without a stack and without line breaks. */
export const plain = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').slice(0, 300)

/**
 * Whether a remote server says that it does not know our session any more: a new one helps. The specification wants 404
 * ("Session Management"); many servers say 400 and explain, the official SDK's that they are not initialized, which of a
 * connection without a session says nothing. Of the request that was answered so it says nothing certain.
 */
export function isSessionGone(error: unknown, { hasSession }: { readonly hasSession: boolean }): boolean {
  const status = httpStatus(error)
  const inWords = hasSession ? /session|not initialized/i : /session/i
  return status === 404 || (status === 400 && inWords.test(plain(error)))
}
