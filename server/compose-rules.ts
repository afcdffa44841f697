// Rules for tools against the tools there are, before a restart: nothing is started, so what counts is what the database
// has seen of each server. What it cannot say is said as well, because silence would read as "all is well".
import { homedir } from 'node:os'
import type { Config } from './config-file.ts'
import type { GatewayConfig } from './gateway/config.ts'
import { idleRules, type IdleRule } from './gateway/idle-rules.ts'
import { dataFile, seenTools } from './store/store.ts'

/** Where a rule stands in its file: "file:line:column". */
export function placeOfRule({ text }: Pick<Config, 'text'>, { server, key }: Pick<IdleRule, 'server' | 'key'>): string {
  if (text === undefined) return 'There is no settings file'
  const { line, column } = text.keyPlaceOf(['mcpServers', server, 'tools', key])
  return `${text.file}:${line}:${column}`
}

export interface CheckedRules {
  /** A rule for no tool, each. */
  readonly problems: readonly { readonly message: string; readonly next: string }[]
  /** Rules that nobody could check, a sentence each. */
  readonly unchecked: readonly string[]
}

/** Checks the rules of all servers against what the database has seen of them. Reads only; makes no database. */
export async function checkRules(config: Config, { servers }: GatewayConfig): Promise<CheckedRules> {
  const ruled = Object.entries(servers).filter(([, { tools }]) => Object.keys(tools).length > 0)
  if (ruled.length === 0) return { problems: [], unchecked: [] }
  const seen = await seenTools(config.server.db ?? dataFile(process.env, process.platform, homedir()))
  const ask = '`countersign doctor` asks the server itself.'
  if (!seen.ok)
    return {
      problems: [],
      unchecked: ruled.map(
        ([name]) => `The rules for tools of ${name} were not checked: ${seen.failure.message} ${ask}`,
      ),
    }
  const known = ruled.map(([name, { tools }]) => ({ name, rules: tools, tools: seen.value.get(name) }))
  return {
    problems: known.flatMap(({ name, rules, tools }) =>
      tools === undefined
        ? []
        : idleRules(name, rules, tools).map((rule) => ({
            message: `${placeOfRule(config, rule)}: ${rule.message}`,
            next: `${rule.next} (As this database has seen ${name}; ${ask})`,
          })),
    ),
    unchecked: known.flatMap(({ name, tools }) =>
      tools === undefined
        ? [`The rules for tools of ${name} were not checked: this database has not seen its tools yet. ${ask}`]
        : [],
    ),
  }
}
