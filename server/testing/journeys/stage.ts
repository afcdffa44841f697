// What every step of a journey shares: where it is played.
import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import type { Arguments } from '../arguments.ts'
import type { HostPage } from '../host/host-page.ts'
import type { HostProfile } from '../host/profiles.ts'
import type { Session, ViewPage } from '../session.ts'

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
