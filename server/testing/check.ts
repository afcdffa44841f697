// One question, asked of any server: in which hosts can a person really sign, cancel, and be protected from signing too
// late? Each cell is a fresh page; a server that was named by its command is also started anew for each host, so that what
// one check applied is not what the next one finds.
import type { Browser } from 'playwright-core'
import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import { plausibleArguments, previewsByDefault, withRationale, type Arguments } from './arguments.ts'
import { openHostPage } from './host-page.ts'
import { runJourney, type JourneyEnd, type JourneyName } from './journeys.ts'
import { hostProfiles, type HostProfile } from './profiles.ts'
import { textOf } from './answer.ts'
import { openSession, type Session, type Target } from './session.ts'
import type { Stage } from './stage.ts'

/** A call to check. */
export interface CheckedCall {
  readonly tool: string
  readonly args: Arguments
}

export interface CheckOptions {
  readonly target: Target
  readonly browser: Browser
  /** Which calls; plausible ones of all write tools that preview by default when absent. */
  readonly calls?: readonly CheckedCall[]
  readonly profiles?: readonly HostProfile[]
  readonly journeys?: readonly JourneyName[]
  readonly labels?: Stage['labels']
  /** Told each end as it comes. */
  readonly onEnd?: (row: CheckRow) => void
}

export interface CheckRow extends JourneyEnd {
  readonly tool: string
  readonly profile: string
  readonly journey: JourneyName
}

export interface Report {
  readonly server: string
  readonly rows: readonly CheckRow[]
  /** Write tools that were left out, and why. */
  readonly skipped: readonly { readonly tool: string; readonly why: string }[]
  /** Something was checked, and nothing failed. */
  readonly ok: boolean
}

const allJourneys: readonly JourneyName[] = ['cancel', 'revise', 'stale', 'confirm']

/**
 * Checks a server's write tools in all profiles. The journeys are run for real: use a server that may be written to.
 * @throws when the server does not start or speak MCP.
 */
export async function checkServer(options: CheckOptions): Promise<Report> {
  const { target, browser, profiles = hostProfiles, journeys = allJourneys, labels, onEnd } = options
  const first = await openSession(target, { apps: true })
  const { calls, skipped } = await callsFor(first, options.calls)
  // Where the calls were given, nothing was called yet, and the first host that draws views takes this server.
  const untouched = options.calls === undefined ? [] : [first]
  if (options.calls === undefined) await first.close()
  const cells = calls.flatMap((call) => profiles.map((profile) => ({ call, profile })))
  const check = async ({ call, profile }: (typeof cells)[number]): Promise<readonly CheckRow[]> => {
    const rows: CheckRow[] = []
    const session = (profile.apps ? untouched.pop() : undefined) ?? (await openSession(target, { apps: profile.apps }))
    try {
      for (const journey of journeys) {
        const end = await inOneHost(browser, session, profile, journey, call, labels)
        const row = { tool: call.tool, profile: profile.name, journey, ...end }
        rows.push(row)
        onEnd?.(row)
      }
    } finally {
      await session.close()
    }
    return rows
  }
  try {
    // One server at one address is one state: two hosts at once would see each other's changes.
    const rows = (await inLanes(target.kind === 'command' ? lanes : 1, cells, check)).flat()
    const ok = rows.length > 0 && rows.every(({ verdict }) => verdict !== 'fails')
    return { server: first.server, rows, skipped, ok }
  } finally {
    await untouched[0]?.close()
  }
}

/** Most of a check is waiting for a page. */
const lanes = 4

async function inLanes<T, R>(count: number, items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const queue = [...items.entries()]
  const lane = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) results[next[0]] = await work(next[1])
  }
  await Promise.all(Array.from({ length: count }, lane))
  return results
}

async function inOneHost(
  browser: Browser,
  session: Session,
  profile: HostProfile,
  journey: JourneyName,
  call: CheckedCall,
  labels: Stage['labels'],
): Promise<JourneyEnd> {
  const tool = session.tools.find((one) => one.name === call.tool)
  if (tool === undefined) return { verdict: 'fails', seen: `there is no tool ${call.tool}` }
  const host = await openHostPage(browser, profile, (name, args) => session.call(name, args))
  try {
    const view = await session.view(tool.name)
    const args = withRationale(tool.inputSchema, call.args)
    return await runJourney(journey, { session, profile, host, tool, view, args, labels })
  } finally {
    await host.close()
  }
}

type Chosen = Pick<Report, 'skipped'> & { readonly calls: readonly CheckedCall[] }

/** The calls to check: the given ones, or one per previewable tool whose preview can be confirmed. */
async function callsFor(session: Session, given: readonly CheckedCall[] | undefined): Promise<Chosen> {
  if (given !== undefined) return { calls: given, skipped: [] }
  const calls: CheckedCall[] = []
  const skipped: { tool: string; why: string }[] = []
  for (const tool of session.tools.filter((each) => isWrite(each) && each.name !== bundleName)) {
    // Calling a tool that may act at once is not a check but an accident.
    const found = previewsByDefault(tool.inputSchema)
      ? await firstConfirmable(session, tool)
      : { ok: false as const, why: 'it does not preview by default; name it with --tool and --args' }
    if (found.ok) calls.push({ tool: tool.name, args: found.args })
    else skipped.push({ tool: tool.name, why: found.why })
  }
  if (session.tools.some(({ name }) => name === bundleName)) {
    const plans = calls.slice(0, 2).map(({ tool, args }) => ({ tool, arguments: args }))
    if (plans.length === 2) calls.push({ tool: bundleName, args: { plans, title: 'Checked by a test host' } })
    else skipped.push({ tool: bundleName, why: 'it takes two calls of other tools that preview by default' })
  }
  return { calls, skipped }
}

/** Several calls as one decision, on a server of Countersign's. */
const bundleName = 'apply_bundle'

const isWrite = (tool: Tool): boolean => {
  const visibility = (tool._meta?.['ui'] as { readonly visibility?: readonly string[] } | undefined)?.visibility
  const rail = tool.name === 'apply_plan' || tool.name === 'plan_bundle'
  return tool.annotations?.readOnlyHint !== true && !rail && (visibility?.includes('model') ?? true)
}

type Found = { readonly ok: true; readonly args: Arguments } | { readonly ok: false; readonly why: string }

async function firstConfirmable(session: Session, tool: Tool): Promise<Found> {
  let why = 'no plausible arguments in its schema; give --args'
  for (const args of plausibleArguments(tool.inputSchema)) {
    const preview = await session.call(tool.name, withRationale(tool.inputSchema, args))
    if (preview.isError !== true && preview.structuredContent?.['plan_id'] !== undefined) return { ok: true, args }
    why = `no plausible arguments were accepted; give --args (${firstLine(textOf(preview))})`
  }
  return { ok: false, why }
}

const firstLine = (text: string): string => (text.split('\n')[0] ?? '').replaceAll('**', '').slice(0, 120)
