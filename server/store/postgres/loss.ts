// A server that is restarted, a cable, an administrator who ends a connection: the statement that was on its way has
// happened or has not. Whoever asked must hear which of the two is certain, so the loss is told apart here, once.
import type { StoreAwayError } from '../../model/store-away.ts'

export class StoreAway extends Error implements StoreAwayError {
  readonly kind = 'store-away'
  readonly effect: StoreAwayError['effect']

  constructor(effect: StoreAwayError['effect'], cause: unknown, what = 'The connection to PostgreSQL was lost') {
    const reason = cause instanceof Error ? cause.message || codeOf(cause) : String(cause)
    super(
      `${what} (${reason}); ${effect === 'none' ? 'nothing was written' : 'whether the last statement was carried out is not known'}.`,
      { cause },
    )
    this.name = 'StoreAway'
    this.effect = effect
  }
}

/** The same loss, where an earlier try may have had its effect. */
export const asUnknown = (error: StoreAwayError): StoreAwayError =>
  error.effect === 'unknown' ? error : new StoreAway('unknown', error.cause)

/** SQLSTATE of a server's error, or the system's code. */
export const codeOf = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined
  // Several addresses of one name were tried (happy eyeballs); they failed alike.
  const one: unknown = error instanceof AggregateError ? error.errors[0] : error
  return one instanceof Error && 'code' in one && typeof one.code === 'string' ? one.code : undefined
}

const ofTheSystem = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
])
/** Class 08; shut down, crashed, starting up, database dropped; ended for idling in a transaction. */
const ofTheServer = /^(?:08...|57P0[1-5]|25P03)$/
/** `pg` gives these no code. */
const ofTheDriver =
  /^(?:Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout|Client was closed)/

/** Whether the connection is gone, as far as an error of `pg` tells. */
export const isLoss = (error: unknown): boolean => {
  const code = codeOf(error)
  if (code !== undefined) return ofTheSystem.has(code) || ofTheServer.test(code)
  return error instanceof Error && ofTheDriver.test(error.message)
}

/** Whether asking for a connection again may help: the server is away, or has no place left (53300). */
export const isAbsence = (error: unknown): boolean => isLoss(error) || codeOf(error) === '53300'
