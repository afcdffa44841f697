// Operators who ask whether guidance helps let a part of the sessions go without and compare. A session is in one half for as
// long as it lives, on whichever machine: its half follows from its id alone. What comes without a session (REST, requests
// over HTTP without a session id) goes by its principal.
import { hash } from 'node:crypto'
import type { GuidanceGiven } from '../model/finding.ts'
import type { Caller, CallRequest, Engine, GuidanceSettings } from './engine.ts'

/** Which session calls, and what it is told, for the record. */
export interface SessionGuidance {
  /** A digest: 24 hexadecimal digits. */
  readonly session: string
  readonly told: GuidanceGiven
}

/** Digest of the caller's session, or of its principal. */
const sessionOf = ({ session, principal: { tenant, subject } }: Caller): string =>
  hash(
    'sha256',
    JSON.stringify(session === undefined ? ['principal', tenant, subject] : ['session', session]),
    'hex',
  ).slice(0, 24)

/** Whether the session of this digest belongs to those that are told. */
const hasGuidance = ({ sample = 1 }: GuidanceSettings, session: string): boolean =>
  Number.parseInt(session.slice(0, 8), 16) / 2 ** 32 < sample

/** The engine as it answers this caller: to a session without guidance, as if the operator had switched it off. */
export function engineFor(
  engine: Engine,
  caller: Caller,
): { readonly engine: Engine; readonly about: SessionGuidance } {
  const { settings } = engine
  const { errors, sample = 1 } = settings.guidance
  const session = sessionOf(caller)
  const told = hasGuidance(settings.guidance, session)
  const compares = errors && sample > 0 && sample < 1
  const about = { session, told: compares ? (told ? 'with' : 'without') : errors && told ? 'all' : 'none' } as const
  if (told) return { engine, about }
  const guidance = { ...settings.guidance, errors: false, budget: false }
  return { engine: { ...engine, settings: { ...settings, guidance } }, about }
}

/** The same for a call. One that runs by an approval is no call of its session; nobody waits for its answer. */
export const engineForCall = (
  engine: Engine,
  { source, caller }: CallRequest,
): { readonly engine: Engine; readonly about?: SessionGuidance } =>
  source === 'approval' ? { engine } : engineFor(engine, caller)
