// Reading the gateway's file: every mistake is named by its place and its nearest right spelling, and nothing starts
// half configured. The text comes in from outside; this room opens no file.
import { z } from 'zod'
import { fail, ok, type Result } from '../../../errors/result.ts'
import {
  gatewaySchema,
  remoteServerSchema,
  stdioServerSchema,
  type GatewayConfig,
  type ServerConfig,
} from './upstream-config.schema.ts'
import { expandDeep, type Variables } from '../../../config/references.ts'
import type { ConfigText } from '../../../config/text.ts'
import { nearest } from '../../../errors/nearest.ts'

export { isStdio, type GatewayConfig, type ServerConfig, type ToolOverride } from './upstream-config.schema.ts'

/** Why a gateway file cannot be used: what is wrong, and what to do. */
export interface ConfigFailure {
  readonly message: string
  readonly next: string
}

/** `server:tool` is split at the colon and written into messages, so a name holds neither colon nor blanks. */
const serverName = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,39}$/

/** Reads the gateway's keys of a file. The server's own keys beside them have a schema of their own. */
export function readGatewayConfig(text: ConfigText, env: Variables): Result<GatewayConfig, ConfigFailure> {
  const own = Object.entries(text.value).filter(([key]) => Object.hasOwn(gatewaySchema.shape, key))
  const value = Object.fromEntries(own)
  const parsed = gatewaySchema.safeParse(value)
  if (!parsed.success) return fail(describe(text, [], parsed.error, value, Object.keys(gatewaySchema.shape)))
  const servers: Record<string, ServerConfig> = {}
  const disabled: string[] = []
  for (const [name, raw] of Object.entries(parsed.data.mcpServers)) {
    const server = readServer(text, name, raw, env)
    if (!server.ok) return server
    if (server.value.enabled) servers[name] = server.value
    else disabled.push(name)
  }
  const { confirmation, intent_declaration: intent } = parsed.data
  return ok({ confirmation, intent, servers, disabled })
}

function readServer(text: ConfigText, name: string, raw: unknown, env: Variables): Result<ServerConfig, ConfigFailure> {
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
  // A server that is switched off may name variables that are not set.
  const off = (raw as { enabled?: unknown }).enabled === false
  const expanded = off ? ok(raw) : expandDeep(raw, env)
  if (!expanded.ok)
    return fail({
      message: `${file}: ${place} needs the environment variable ${expanded.failure}, which is not set.`,
      next: `Set ${expanded.failure}, write a default as \${${expanded.failure}:-…}, or switch the server off with "enabled": false.`,
    })
  const schema = stdio ? stdioServerSchema : remoteServerSchema
  const parsed = schema.safeParse(expanded.value)
  if (!parsed.success)
    return fail(describe(text, ['mcpServers', name], parsed.error, expanded.value, Object.keys(schema.shape)))
  const server: ServerConfig = parsed.data
  if ('url' in server && !off && !isHttp(server.url))
    return fail({
      message: `${file}: ${place}.url is not an http or https address.`,
      next: 'Write it like "https://example.com/mcp".',
    })
  return ok(server)
}

const isHttp = (url: string): boolean => URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol)

/** A place as editors open it. */
const placed = (text: ConfigText, path: readonly PropertyKey[]): string => {
  const { line, column } = text.placeOf(path)
  return `${text.file}:${line}:${column}`
}

/** The first problem, by place, with the nearest known spelling where a key is unknown. */
function describe(
  text: ConfigText,
  base: readonly string[],
  error: z.ZodError,
  input: unknown,
  known: readonly string[],
): ConfigFailure {
  const issue = error.issues[0]
  if (issue === undefined) return { message: `${text.file} cannot be read.`, next: 'Check it.' }
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const file = placed(text, [...base, ...issue.path, ...unknown])
  const place = [...base, ...issue.path.map(String)].join('.')
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? ''
    const names = issue.path.length === 0 ? known : knownAt(issue.path)
    const [near] = nearest(key, names)
    return {
      message: `${file}: ${place === '' ? '' : `${place} has `}${place === '' ? `"${key}" is an unknown key` : `an unknown key "${key}"`}.`,
      next: near === undefined ? `Known are ${names.join(', ')}.` : `Did you mean "${near}"?`,
    }
  }
  // What stands in env, headers or args is often a secret by now, and messages end up in logs.
  const secret = issue.path.some((key) => key === 'env' || key === 'headers' || key === 'args')
  const given = JSON.stringify(valueAt(input, issue.path))
  const received = given === undefined ? 'nothing' : secret ? 'what it is' : given
  return {
    message: `${file}: ${place === '' ? 'the file' : place} ${received === 'nothing' ? 'is missing' : `cannot be ${received.slice(0, 80)}`}: ${problem(issue)}.`,
    next: 'Correct it and start again.',
  }
}

function problem(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value')
    return `allowed is ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`
  if (issue.code === 'invalid_type') return `it must be of type ${issue.expected}`
  return issue.message
}

/** The keys that an object inside a server's entry may have, for the nearest spelling. */
function knownAt(path: readonly PropertyKey[]): readonly string[] {
  let schema: unknown = path[0] === 'intent_declaration' ? gatewaySchema : stdioServerSchema
  for (const key of path) schema = step(schema, key)
  const inner = peel(schema)
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : []
}

function step(schema: unknown, key: PropertyKey): unknown {
  const inner = peel(schema)
  if (inner instanceof z.ZodObject) return (inner.shape as Record<PropertyKey, unknown>)[key]
  if (inner instanceof z.ZodRecord) return inner.valueType
  if (inner instanceof z.ZodArray) return inner.element
  return undefined
}

function peel(schema: unknown): unknown {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional)
    return peel(schema.unwrap())
  return schema
}

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (held, key) =>
      typeof held === 'object' && held !== null ? (held as Record<PropertyKey, unknown>)[key] : undefined,
    value,
  )
