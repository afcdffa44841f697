// The settings file in the words of editors and operators: its JSON Schema, what is in force, and a file to begin with.
import { z } from 'zod'
import { configSchema } from '../../config/config.schema.ts'
import type { Config } from '../../config/file.ts'
import { isSecretAt } from '../../config/problems.ts'
import {
  gatewaySchema,
  remoteServerSchema,
  stdioServerSchema,
} from '../../gateway/upstream/settings/upstream-config.schema.ts'

/** Where the schema of this version is published. */
const schemaAddress = './node_modules/countersign/countersign.schema.json'

type Json = Record<string, unknown>

const toJson = (schema: z.ZodType): Json => {
  const { $schema: _draft, ...json } = z.toJSONSchema(schema, { io: 'input' }) as Json
  return json
}

/** JSON Schema (2020-12) of the settings file, the gateway's keys among them. */
export function configJsonSchema(): Json {
  const server = toJson(configSchema)
  const gateway = toJson(gatewaySchema)
  const { mcpServers, confirmation, intent_declaration } = gateway['properties'] as Record<string, Json>
  const own = server['properties'] as Record<string, Json>
  const described = (key: string, json: Json | undefined): Json => ({ ...json, description: own[key]?.['description'] })
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Settings of a Countersign server',
    ...server,
    properties: {
      ...own,
      mcpServers: described('mcpServers', {
        ...mcpServers,
        additionalProperties: { anyOf: [toJson(stdioServerSchema), toJson(remoteServerSchema)] },
      }),
      confirmation: described('confirmation', confirmation),
      intent_declaration: described('intent_declaration', intent_declaration),
    },
  }
}

/** One setting as it is in force. */
interface EffectiveRow {
  readonly path: string
  /** Never a secret. */
  readonly shown: string
  readonly from: string
}

/** Every setting that is in force, by path, with where it comes from. */
export function effective(config: Config): readonly EffectiveRow[] {
  const { mcpServers, confirmation: _c, intent_declaration: _i, ...server } = config.server
  const rows = leaves(server, []).map(({ path, value }): EffectiveRow => {
    const name = path.map(String).join('.')
    return { path: name, shown: shown(config, path, value), from: from(config, path) }
  })
  const servers = typeof mcpServers === 'object' && mcpServers !== null ? Object.keys(mcpServers) : []
  if (servers.length === 0) return rows
  return [...rows, { path: 'mcpServers', shown: servers.join(', '), from: from(config, ['mcpServers']) }]
}

function leaves(
  value: unknown,
  path: readonly PropertyKey[],
): readonly { path: readonly PropertyKey[]; value: unknown }[] {
  if (value === undefined) return []
  if (typeof value !== 'object' || value === null) return [{ path, value }]
  const members = Array.isArray(value) ? value.map((each, at) => [at, each] as const) : Object.entries(value)
  if (members.length === 0) return path.length === 0 ? [] : [{ path, value }]
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) {
    const plain = members.every(([key]) => typeof key === 'number')
    if (plain) return [{ path, value }]
  }
  return members.flatMap(([key, member]) => leaves(member, [...path, key]))
}

function shown(config: Config, path: readonly PropertyKey[], value: unknown): string {
  const reference = config.referenceAt(path)
  if (reference !== undefined) return reference
  if (isSecretAt(configSchema, path)) return '(set)'
  if (typeof value === 'string')
    return value.startsWith('data:') ? `${value.slice(0, 40)}… (${value.length} characters)` : withoutPassword(value)
  if (Array.isArray(value) && value.some((_, at) => config.referenceAt([...path, at]) !== undefined))
    return value.map((each, at) => config.referenceAt([...path, at]) ?? String(each)).join(', ')
  return Array.isArray(value) ? value.join(', ') || '(none)' : JSON.stringify(value) === '{}' ? '(none)' : String(value)
}

/** An address of a database may carry one, wherever it was set. */
const withoutPassword = (text: string): string => {
  if (!URL.canParse(text)) return text
  const { username, password } = new URL(text)
  return username === '' && password === '' ? text : text.replace(/\/\/[^@/]*@/, '//(set)@')
}

function from(config: Config, path: readonly PropertyKey[]): string {
  const origin = config.originOf(path)
  switch (origin.kind) {
    case 'default':
      return 'default'
    case 'override':
      return origin.source.replace(/^The environment variable /, '')
    case 'file':
      return `${config.text?.file ?? ''}:${origin.line}:${origin.column}`
    default:
      return origin satisfies never
  }
}

/** A file to begin with. Everything in it is a comment or a default. */
export const starter = `{
  "$schema": "${schemaAddress}",

  // Settings of a Countersign server. The environment goes over this file, and flags go over both.
  // \`countersign config check countersign.json\` says what is in force; secrets stand as "\${VARIABLE}" and nowhere else.

  // Name of the server, on every card.
  // "name": "Order desk",

  // The look of cards: the colour of what is confirmed, corners in pixels, a logo as a data: address.
  // "theme": { "accent": "#0b6e4f", "radius": 8 },

  // A file beside this one, or "postgres://user:\${DB_PASSWORD}@host/countersign".
  // "db": "countersign.db",

  "http": {
    "port": 3323,
    // Anything but loopback needs "access" below.
    "host": "127.0.0.1"
    // , "public_url": "https://countersign.example"
  },

  "access": {
    // "tokens": who has a token of \`countersign token create\`. "jwt": who has one of your authorization server.
    "mode": "open"
    // , "jwt": { "issuer": "https://login.example", "tenant_claim": "tenant" }
  },

  "policy": {
    // In minutes.
    "plan_ttl_minutes": 15,
    "approval_ttl_minutes": 1440
    // , "approvals": [{ "tools": ["orders_delete"], "approvers": 2, "four_eyes": true }]
  },

  "limits": {
    // Of one caller.
    // "calls_per_minute": 300,
    // "writes_per_minute": 60
  },

  "log": { "level": "info" }
}
`
