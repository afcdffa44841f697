// Settings beside `mcpServers` that are about single tools name them as agents call them. A misspelt name protects nothing
// there either, so whoever checks the settings against the tools there are finds every such place here.
import type { ServerConfig } from '../../config/config.schema.ts'
import type { NamedTool } from '../../gateway/rules/idle-rules.ts'

/** Every such place, in the order of the schema. */
export const namedTools = ({ policy, operators, tenants }: ServerConfig): readonly NamedTool[] => [
  ...policy.approvals.flatMap(({ tools }, at) => patterns(['policy', 'approvals', at, 'tools'], tools)),
  ...Object.entries(operators.oidc?.roles ?? {}).flatMap(([value, roles]) =>
    roles.flatMap((role, at) =>
      typeof role === 'string' ? [] : patterns(['operators', 'oidc', 'roles', value, at, 'tools'], role.tools),
    ),
  ),
  ...Object.entries(tenants).flatMap(([tenant, { risk }]) =>
    Object.keys(risk).map((name) => ({ path: ['tenants', tenant, 'risk', name], name, pattern: false })),
  ),
]

const patterns = (path: NamedTool['path'], names: readonly string[]): readonly NamedTool[] =>
  names.map((name, at) => ({ path: [...path, at], name, pattern: true }))
