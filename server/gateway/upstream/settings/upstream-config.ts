// Reading the gateway's file: every mistake is named by its place and its nearest right spelling, and nothing starts
// half configured. The text comes in from outside; this folder opens no file.
import { z } from 'zod'
import { fail, ok, type Result } from '../../../errors/result.ts'
import {
  gatewaySchema,
  remoteServerSchema,
  stdioServerSchema,
  type GatewayConfig,
  type ServerConfig,
} from './upstream-config.schema.ts'
import {
  expandDeep,
  isReference,
  isSecretReference,
  missingWords,
  secretsNamed,
  wrongReference,
  wrongReferenceNext,
  type Referents,
} from '../../../config/references.ts'
import { isProtected } from '../../../ip-address.ts'
import type { ConfigText } from '../../../config/text.ts'
import { explain } from '../../../config/problems.ts'

export type { GatewayConfig, ServerConfig, ToolOverride } from './upstream-config.schema.ts'

/** Why a gateway file cannot be used: what is wrong, and what to do. */
export interface ConfigFailure {
  readonly message: string
  readonly next: string
}

/** `server:tool` is split at the colon and written into messages, so a name holds neither colon nor blanks. */
const serverName = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,39}$/

/** Reads the gateway's keys of a file. The server's own keys beside them have a schema of their own. */
export function readGatewayConfig(text: ConfigText, known: Referents): Result<GatewayConfig, ConfigFailure> {
  const own = Object.entries(text.value).filter(([key]) => Object.hasOwn(gatewaySchema.shape, key))
  const value = Object.fromEntries(own)
  const parsed = gatewaySchema.safeParse(value)
  if (!parsed.success) return fail(describe(text, gatewaySchema, parsed.error, value))
  const servers: Record<string, ServerConfig> = {}
  const disabled: string[] = []
  const unstartable: ConfigFailure[] = []
  for (const [name, raw] of Object.entries(parsed.data.mcpServers)) {
    const server = readServer(text, name, raw, known, unstartable)
    if (!server.ok) return server
    if (server.value.enabled) servers[name] = server.value
    else disabled.push(name)
  }
  const { confirmation, intent_declaration: intent } = parsed.data
  return ok({ confirmation, intent, servers, disabled, unstartable })
}

/** A server whose variable is not set is no mistake of the file: it stands in `unstartable`, and is not started. */
function readServer(
  text: ConfigText,
  name: string,
  raw: unknown,
  { variables, unread }: Referents,
  unstartable: ConfigFailure[],
): Result<ServerConfig, ConfigFailure> {
  const place = `mcpServers.${name}`
  const file = placed(text, ['mcpServers', name])
  if (!serverName.test(name))
    return fail({
      message: `${file}: "${name}" cannot be the name of a server.`,
      next: 'Use letters, digits, _ . and - (at most 40), starting with a letter or digit.',
    })
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    return fail({ message: `${file}: ${place} is not an object.`, next: 'Write {"command": …} or {"url": …}.' })
  const stdio = 'command' in raw
  if (stdio === 'url' in raw)
    return fail({
      message: `${file}: ${place} has ${stdio ? 'both command and url' : 'neither command nor url'}.`,
      next: 'Give `command` for a server on this machine, or `url` for a remote one.',
    })
  const { client_secret: secret } =
    z.object({ oauth: z.object({ client_secret: z.string() }) }).safeParse(raw).data?.oauth ?? {}
  if (secret !== undefined && !isReference(secret) && !isSecretReference(secret))
    return fail({
      message: `${placed(text, ['mcpServers', name, 'oauth', 'client_secret'])}: ${place}.oauth.client_secret must be a reference, not the secret itself.`,
      next: 'Write "${TRACKER_CLIENT_SECRET}", with a name of your own, and set that variable, or "${secret:NAME}".',
    })
  const wrong = wrongWithin(raw, ['mcpServers', name])
  if (wrong !== undefined)
    return fail({
      message: `${placed(text, wrong.path)}: ${wrong.path.join('.')} ${wrong.why}.`,
      next: wrongReferenceNext,
    })
  // A server that is switched off may name variables that are not set.
  const off = (raw as { enabled?: unknown }).enabled === false
  const expanded = off ? ok(raw) : expandDeep(raw, variables)
  const missing = expanded.ok ? undefined : expanded.failure
  const isUnread = unread !== undefined && missing?.startsWith('secret:') === true
  if (missing !== undefined)
    unstartable.push(
      isUnread
        ? { message: `${file}: ${place} needs the secret ${nameOf(missing)}. ${unread.message}`, next: unread.next }
        : { message: `${file}: ${place} needs ${missingWords(missing)}.`, next: fetching(missing) },
    )
  const inPlace = { mcpServers: { [name]: expanded.ok ? expanded.value : raw } }
  const schema = z.object({ mcpServers: z.record(z.string(), stdio ? stdioServerSchema : remoteServerSchema) })
  const parsed = schema.safeParse(inPlace)
  const server = parsed.data?.mcpServers[name]
  if (!parsed.success || server === undefined)
    return fail(describe(text, schema, parsed.error ?? new z.ZodError([]), inPlace))
  if ('url' in server && !off && missing === undefined && !isHttp(server.url))
    return fail({
      message: `${file}: ${place}.url is not an http or https address.`,
      next: 'Write it like "https://example.com/mcp".',
    })
  if ('url' in server && !off && missing === undefined && server.oauth !== undefined && !isProtected(server.url))
    return fail({
      message: `${file}: ${place} has "oauth", and its address is not https, so its tokens could be read on the way.`,
      next: 'Write an https address (http only for this machine), or take "oauth" out.',
    })
  // Agents read this one: it says which file nowhere.
  if (missing !== undefined)
    return ok({
      ...server,
      unstartable: isUnread
        ? `it needs the secret ${nameOf(missing)}, and the secrets on this machine cannot be opened; \`countersign secrets list\` says why`
        : `it needs ${missingWords(missing)}`,
    })
  const kept = secretsNamed(raw).flatMap((each) => variables[each] ?? [])
  return ok(kept.length === 0 ? server : { ...server, kept })
}

const nameOf = (secret: string): string => secret.slice('secret:'.length)

/** The first text of a value that has a reference which is none, by its path. */
function wrongWithin(
  value: unknown,
  path: readonly string[],
): { readonly path: readonly string[]; readonly why: string } | undefined {
  if (typeof value === 'string') {
    const why = wrongReference(value)
    return why === undefined ? undefined : { path, why }
  }
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, member] of Object.entries(value)) {
    const found = wrongWithin(member, [...path, key])
    if (found !== undefined) return found
  }
  return undefined
}

/** What to do about a reference to something that is not there. */
const fetching = (missing: string): string =>
  missing.startsWith('secret:')
    ? `Keep it with \`countersign secrets set ${nameOf(missing)}\`, or switch the server off with "enabled": false.`
    : `Set ${missing}, write a default as \${${missing}:-…}, or switch the server off with "enabled": false.`

const isHttp = (url: string): boolean => URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol)

/** A place as editors open it. */
const placed = (text: ConfigText, path: readonly PropertyKey[]): string => {
  const { line, column } = text.placeOf(path)
  return `${text.file}:${line}:${column}`
}

/** What stands in these is often a secret, and messages end up in logs. */
const isSecret = (path: readonly PropertyKey[]): boolean =>
  path.some((key) => key === 'env' || key === 'headers' || key === 'args' || key === 'client_secret')

/** The first problem, by place, with the nearest known spelling where a key is unknown. */
function describe(text: ConfigText, schema: z.ZodType, error: z.ZodError, input: unknown): ConfigFailure {
  const [problem] = explain(schema, error, input, isSecret)
  if (problem === undefined) return { message: `${text.file} cannot be read.`, next: 'Check it.' }
  return { message: `${placed(text, problem.path)}: ${problem.message}.`, next: problem.next }
}
