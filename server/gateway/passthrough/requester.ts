// What passes to a server behind (resources, prompts, completions) has no contract that could say what it takes, and may
// do whatever its server likes. So it takes what the server's tools take, all of them together.
import type { ServerConfig } from '../upstream/settings/upstream-config.schema.ts'

/** For whom something passes. */
export interface Requester {
  /** Aborts when the client gives the request up. */
  readonly signal?: AbortSignal
  /** Whether they have all of these permissions now. */
  may(permissions: readonly string[]): boolean
  /** Told when the request goes on to a server that they may use: what fails from then on, fails there. */
  readonly onSent?: () => void
}

/** What a caller must be permitted for a server's resources, templates, prompts, completions and log. */
const passingPermissions = ({
  permissions,
  tools,
  passing_permissions: passing = Object.values(tools).flatMap((tool) => tool.permissions ?? []),
}: Pick<ServerConfig, 'permissions' | 'tools' | 'passing_permissions'>): readonly string[] => [
  ...new Set([...permissions, ...passing]),
]

/** Whether somebody may have what a server passes. */
export const maySee = (requester: Requester, { config }: { readonly config: ServerConfig }): boolean =>
  requester.may(passingPermissions(config))
