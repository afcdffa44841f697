// Which calls are checked, with which arguments: those that were named, or one of each write tool that shows first what it
// would do. What is named and not there is said once, before anything else is started.
import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { nearest } from '../errors/nearest.ts'
import { textOf } from './answer.ts'
import { numbered, plausibleArguments, previewsByDefault, withRationale, type Arguments } from './arguments.ts'
import type { JourneyName } from './journeys/journeys.ts'
import type { Session } from './session.ts'

/** For which journey arguments are made. */
export interface CheckedJourney {
  /** Wire name of the tool. */
  readonly tool: string
  /** The name of the host's profile. */
  readonly host: string
  /** Which journey it was. */
  readonly journey: JourneyName
  /** Counts the journeys of this tool from 0. */
  readonly n: number
}

/** Makes the arguments of one journey. */
export type MakeArguments = (journey: CheckedJourney) => Arguments | Promise<Arguments>

/** A call to check. */
export interface CheckedCall {
  /** Wire name of the tool. */
  readonly tool: string
  /**
   * The same for each journey, or made anew for each. When absent, plausible ones from the tool's schema, with another number for
   * each journey in a text that was made up.
   */
  readonly args?: Arguments | MakeArguments
}

/** What was asked for cannot be checked: the message says what, and what to do. */
export class CheckError extends Error {
  /** What, without what to do. */
  readonly told: string
  /** What to do. */
  readonly next: string
  constructor(told: string, next: string) {
    super(`${told} ${next}`)
    this.name = 'CheckError'
    this.told = told
    this.next = next
  }
}

const argumentsSchema = z.record(z.string(), z.unknown())

/** The arguments of a journey. @throws {CheckError} where what makes them answers something else. */
export async function madeArguments({ tool, args = {} }: CheckedCall, journey: CheckedJourney): Promise<Arguments> {
  if (typeof args !== 'function') return args
  const where = `${tool}, journey ${journey.n} (${journey.journey} in the host ${journey.host})`
  const made: unknown = await Promise.resolve()
    .then(() => args(journey))
    .catch((cause: unknown) => {
      throw new CheckError(
        `The function that makes arguments threw for ${where}: ${cause instanceof Error ? cause.message : String(cause)}.`,
        'Let it answer the arguments of one call.',
      )
    })
  const parsed = argumentsSchema.safeParse(made)
  if (parsed.success) return parsed.data
  throw new CheckError(
    `The function that makes arguments answered ${made === null ? 'null' : Array.isArray(made) ? 'an array' : typeof made} for ${where}.`,
    'Let it answer the arguments of one call, as an object.',
  )
}

type Skipped = readonly { readonly tool: string; readonly why: string }[]

interface Chosen {
  readonly calls: readonly CheckedCall[]
  readonly skipped: Skipped
}

/** The calls to check: the given ones, or one per previewable tool whose preview can be confirmed. @throws {CheckError} */
export async function callsFor(session: Session, given: readonly CheckedCall[] | undefined): Promise<Chosen> {
  if (given === undefined) return withBundle(session, await plausibleCalls(session, session.tools.filter(isWrite)))
  const calls: CheckedCall[] = []
  const skipped: Skipped[number][] = []
  for (const call of given) {
    const tool = session.tools.find(({ name }) => name === call.tool)
    if (tool === undefined) throw noSuchTool(session, call.tool)
    const found = call.args === undefined ? await plausibleCalls(session, [tool]) : { calls: [call], skipped: [] }
    calls.push(...found.calls)
    skipped.push(...found.skipped)
  }
  return { calls, skipped }
}

function noSuchTool({ server, tools }: Session, wanted: string): CheckError {
  const names = tools.filter(isWrite).map(({ name }) => name)
  const near = nearest(wanted, names)
  const listed =
    names.length === 0 ? 'none' : `${names.slice(0, mostNames).join(', ')}${names.length > mostNames ? ', …' : ''}`
  return new CheckError(
    `${server} has no tool ${JSON.stringify(wanted.slice(0, 100))}.`,
    near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Its tools that write: ${listed}.`,
  )
}

const mostNames = 20

/** A call whose arguments were guessed: other ones each time, where that is possible. */
interface PlausibleCall extends CheckedCall {
  readonly args: () => Arguments
}

interface Plausible extends Chosen {
  readonly calls: readonly PlausibleCall[]
}

async function plausibleCalls(session: Session, tools: readonly Tool[]): Promise<Plausible> {
  const calls: PlausibleCall[] = []
  const skipped: { tool: string; why: string }[] = []
  for (const tool of tools.filter(({ name }) => name !== bundleName)) {
    // Calling a tool that may act at once is not a check but an accident.
    const found = previewsByDefault(tool.inputSchema)
      ? await firstConfirmable(session, tool)
      : { ok: false as const, why: 'it does not preview by default; name it with --tool and --args' }
    if (found.ok) calls.push({ tool: tool.name, args: found.args })
    else skipped.push({ tool: tool.name, why: found.why })
  }
  return { calls, skipped }
}

/** Several calls as one decision, on a server of Countersign's, of what was found for others. */
function withBundle(session: Session, { calls, skipped }: Plausible): Chosen {
  if (!session.tools.some(({ name }) => name === bundleName)) return { calls, skipped }
  const members = calls.slice(0, 2)
  if (members.length < 2)
    return {
      calls,
      skipped: [...skipped, { tool: bundleName, why: 'it takes two calls of other tools that preview by default' }],
    }
  const args = (): Arguments => ({
    plans: members.map((member) => ({ tool: member.tool, arguments: member.args() })),
    title: 'Checked by a test host',
  })
  return { calls: [...calls, { tool: bundleName, args }], skipped }
}

const bundleName = 'apply_bundle'

const isWrite = (tool: Tool): boolean => {
  const visibility = (tool._meta?.['ui'] as { readonly visibility?: readonly string[] } | undefined)?.visibility
  const rail = tool.name === 'apply_plan' || tool.name === 'plan_bundle'
  return tool.annotations?.readOnlyHint !== true && !rail && (visibility?.includes('model') ?? true)
}

type Found = { readonly ok: true; readonly args: () => Arguments } | { readonly ok: false; readonly why: string }

/**
 * The first plausible arguments of which a preview can be confirmed. A change that was made already cannot be, so each journey has
 * a number in its text, where the server takes one: then most find what they need on a server that was used before.
 */
async function firstConfirmable(session: Session, tool: Tool): Promise<Found> {
  let why = 'no plausible arguments in its schema; give --args'
  const whyNot = async (args: Arguments): Promise<string | undefined> => {
    const preview = await session.call(tool.name, withRationale(tool.inputSchema, args))
    const isConfirmable = preview.isError !== true && preview.structuredContent?.['plan_id'] !== undefined
    return isConfirmable ? undefined : firstLine(textOf(preview))
  }
  // At an address that keeps its state an earlier check may have begun with the same.
  let n = Math.floor(Date.now() / 1000) % 1_000_000
  for (const args of plausibleArguments(tool.inputSchema)) {
    const other = (): Arguments => numbered(tool.inputSchema, args, (n += 1)) ?? args
    if ((await whyNot(other())) === undefined) return { ok: true, args: other }
    const refused = await whyNot(args)
    if (refused === undefined) return { ok: true, args: () => args }
    why = `no plausible arguments were accepted; give --args (${refused})`
  }
  return { ok: false, why }
}

const firstLine = (text: string): string => (text.split('\n')[0] ?? '').replaceAll('**', '').slice(0, 120)
