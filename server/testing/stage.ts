// What every step of a journey shares: where it is played, and how it says that it broke.
import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import type { Arguments } from './arguments.ts'
import type { HostPage } from './host-page.ts'
import type { HostProfile } from './profiles.ts'
import type { Session, ViewPage } from './session.ts'

/** What one journey happens on: a tool of a server, in one kind of host. */
export interface Stage {
  /** The client at the server. */
  readonly session: Session
  /** The kind of host. */
  readonly profile: HostProfile
  /** The page that draws. */
  readonly host: HostPage
  /** The tool that is checked. */
  readonly tool: Tool
  /** Its view. */
  readonly view: ViewPage | undefined
  /** The arguments of the call. */
  readonly args: Arguments
  /** Names of the buttons, where the server's own card does not say them. */
  readonly labels?: { readonly confirm?: string | undefined; readonly cancel?: string | undefined } | undefined
}

/** What went wrong, as the table shows it. */
export class Broken extends Error {}

/** How long a view may take for anything. */
export const longestMs = 30_000

/** Waits until something is so, asked again after so many milliseconds, or breaks the journey. */
export async function until(done: () => Promise<boolean>, message: () => string, everyMs = 20): Promise<void> {
  const end = Date.now() + longestMs
  while (!(await done())) {
    if (Date.now() > end) throw new Broken(message())
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}

/** The work's result, or an error with this message where it takes too long. */
export async function inTime<T>(work: Promise<T>, ms: number, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Broken(message)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
    // Where it came too late, its end is nobody's concern.
    work.catch(() => undefined)
  }
}
