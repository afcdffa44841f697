// One question, asked of any server: in which hosts can a person really sign, cancel, and be protected from signing too
// late? Each journey has arguments of its own, and a verdict that may come of what an earlier one has left is asked for once more
// of a server that was started anew.
import type { Browser } from 'playwright-core'
import { withRationale, type Arguments } from './arguments.ts'
import { callsFor, CheckError, madeArguments, type CheckedCall } from './checked-calls.ts'
import { playHost } from './host/host-page.ts'
import { openWindows, type Windows } from './host/host-window.ts'
import { runJourney, type JourneyEnd, type JourneyName } from './journeys/journeys.ts'
import { hostProfiles, type HostProfile } from './host/profiles.ts'
import { openServers, type Servers, type ServerUse } from './servers.ts'
import { openSession, type Target } from './session.ts'
import type { Stage } from './journeys/stage.ts'

/** What `checkServer` checks. */
export interface CheckOptions {
  /** The server. */
  readonly target: Target
  /** A Chromium, or what starts it once there is something to check. It stays open. */
  readonly browser: Browser | (() => Promise<Browser>)
  /** Which calls; plausible ones of all write tools that preview by default when absent. */
  readonly calls?: readonly CheckedCall[]
  /** Kinds of hosts; all when absent. */
  readonly profiles?: readonly HostProfile[]
  /** Journeys; all when absent. */
  readonly journeys?: readonly JourneyName[]
  /** Names of the buttons, of a view that is not ours. */
  readonly labels?: Stage['labels']
  /** Told each end as it comes. */
  readonly onEnd?: (row: CheckRow) => void
}

/** One journey in one kind of host. */
export interface CheckRow extends Pick<JourneyEnd, 'verdict' | 'seen'> {
  /** Wire name of the tool. */
  readonly tool: string
  /** Name of the profile. */
  readonly profile: string
  /** Which journey it was. */
  readonly journey: JourneyName
}

/** What `checkServer` found. */
export interface Report {
  /** What the server calls itself. */
  readonly server: string
  /** Each journey in each kind of host. */
  readonly rows: readonly CheckRow[]
  /** Write tools that were left out, and why. */
  readonly skipped: readonly { readonly tool: string; readonly why: string }[]
  /** Something was checked, and nothing failed. */
  readonly ok: boolean
}

const allJourneys: readonly JourneyName[] = ['cancel', 'revise', 'stale', 'confirm']

/** A tool in a host, with the arguments of its journeys. */
interface Cell {
  readonly call: CheckedCall
  readonly profile: HostProfile
  readonly args: ReadonlyMap<JourneyName, Arguments>
}

/**
 * Checks a server's write tools in all profiles. The journeys are run for real: use a server that may be written to.
 * @throws {CheckError} when a call names a tool that the server does not have, or its arguments cannot be made, or the browser is no Chromium; any error when
 * the server does not start or speak MCP.
 */
export async function checkServer(options: CheckOptions): Promise<Report> {
  const { target, profiles = hostProfiles, journeys = allJourneys, labels, onEnd } = options
  const first = await openSession(target, { apps: true })
  const servers = openServers(target)
  let windows: Windows | undefined
  try {
    const { calls, skipped } = await callsFor(first, options.calls)
    // Where arguments were tried out, that server has seen previews; named calls with arguments found it as it was started.
    servers.add(first, options.calls?.every(({ args }) => args !== undefined) !== true)
    const cells = await cellsOf(calls, profiles, journeys)
    const opened = await openWindows(await browserOf(options.browser))
    windows = opened
    const check = async (cell: Cell): Promise<readonly CheckRow[]> => {
      const rows: CheckRow[] = []
      const use = await servers.take(cell.profile)
      try {
        for (const journey of journeys) {
          const end = await endOf(opened, servers, use, cell, journey, labels)
          const { verdict, seen } = end
          const row = { tool: cell.call.tool, profile: cell.profile.name, journey, verdict, seen }
          rows.push(row)
          onEnd?.(row)
        }
      } finally {
        await servers.give(use)
      }
      return rows
    }
    // One server at one address is one state: of the same record, two hosts at once would see each other's changes.
    const isShared = target.kind === 'url' && options.calls?.every(({ args }) => typeof args === 'function') !== true
    const rows = (await inLanes(isShared ? 1 : lanes, cells, check)).flat()
    const ok = rows.length > 0 && rows.every(({ verdict }) => verdict !== 'fails')
    return { server: first.server, rows, skipped, ok }
  } finally {
    await windows?.close()
    await servers.close()
    await first.close()
  }
}

async function browserOf(given: CheckOptions['browser']): Promise<Browser> {
  const browser = typeof given === 'function' ? await given() : given
  const kind = browser.browserType().name()
  if (kind === 'chromium') return browser
  throw new CheckError(`The browser is a ${kind}.`, 'Give checkServer a Chromium, whose accessibility tree it reads.')
}

/** All cells, in the order of their tools, each journey with its arguments: made one after the other, so that each is numbered. */
async function cellsOf(
  calls: readonly CheckedCall[],
  profiles: readonly HostProfile[],
  journeys: readonly JourneyName[],
): Promise<readonly Cell[]> {
  const cells: Cell[] = []
  for (const call of calls) {
    let n = 0
    for (const profile of profiles) {
      const args = new Map<JourneyName, Arguments>()
      for (const journey of journeys)
        args.set(journey, await madeArguments(call, { tool: call.tool, host: profile.name, journey, n: n++ }))
      cells.push({ call, profile, args })
    }
  }
  return cells
}

/** Most of a journey is waiting for the browser and the server. */
const lanes = 6

async function inLanes<T, R>(count: number, items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const queue = [...items.entries()]
  const lane = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) results[next[0]] = await work(next[1])
  }
  const ends = await Promise.allSettled(
    Array.from({ length: count }, () =>
      lane().catch((error: unknown) => {
        // The others end what they have begun, so that all servers and windows are given back, and begin no more.
        queue.length = 0
        throw error
      }),
    ),
  )
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return results
}

/** Where a server can be started anew, what fails on one that is changed already is asked of a fresh one. */
async function endOf(
  windows: Windows,
  servers: Servers,
  use: ServerUse,
  cell: Cell,
  journey: JourneyName,
  labels: Stage['labels'],
): Promise<JourneyEnd> {
  // What fails on a fresh server fails: run once more it might pass, and nobody would see that it does not always.
  const wasTouched = use.isTouched
  const end = await inOneHost(windows, use, cell, journey, labels)
  if (!wasTouched || !mayBeOfState(end) || !(await servers.renew(use))) return end
  return inOneHost(windows, use, cell, journey, labels)
}

const mayBeOfState = ({ verdict, restsOnState }: JourneyEnd): boolean => verdict === 'fails' || restsOnState === true

async function inOneHost(
  windows: Windows,
  use: ServerUse,
  { call, profile, args }: Cell,
  journey: JourneyName,
  labels: Stage['labels'],
): Promise<JourneyEnd> {
  const { session } = use
  const tool = session.tools.find((one) => one.name === call.tool)
  if (tool === undefined) return { verdict: 'fails', seen: `there is no tool ${call.tool}` }
  const window = await windows.take(profile)
  let end: JourneyEnd | undefined
  try {
    const host = await playHost(window, profile, (name, given) => session.call(name, given))
    const view = await session.view(tool.name)
    const given = withRationale(tool.inputSchema, args.get(journey) ?? {})
    end = await runJourney(journey, { session, profile, host, tool, view, args: given, labels })
    if (journey === 'confirm' || journey === 'stale' || end.verdict === 'fails') use.isTouched = true
    return end
  } finally {
    // A window in which something failed may be in any state.
    await (end === undefined || end.verdict === 'fails' ? window.close() : windows.give(profile, window))
  }
}
