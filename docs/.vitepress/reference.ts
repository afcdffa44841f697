// Two pages that must not forget anything, so nobody writes them: the commands as the terminal knows them, and the settings as
// their schema has them. They lie beside the pages that TypeDoc makes.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command, Option } from 'commander'
import { everyCommand } from '../../server/cli/main.ts'
import { configJsonSchema } from '../../server/compose/settings/config-schema-json.ts'
import { variables } from '../../server/config/variables.ts'

/** A sentence in a cell of a table, in which nothing is markup but code between backticks. */
const cell = (text: string): string =>
  `${text.replace(/[.:]$/, '')}.`
    .replaceAll('\n', ' ')
    .replaceAll('|', '\\|')
    .split('`')
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll('<', '&lt;').replaceAll('*', '\\*')))
    .join('`')
const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``
const sentence = (text: string): string => (text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}`)

function optionRow({ flags, description, defaultValue, argChoices }: Option): string {
  const choices = argChoices === undefined ? '' : ` One of ${argChoices.map(code).join(', ')}.`
  const given = defaultValue === undefined || defaultValue === false ? '' : ` Default: ${code(String(defaultValue))}.`
  return `| ${code(flags)} | ${cell(description)}${choices}${given} |`
}

function ofCommand(command: Command, path: string, depth: number): readonly string[] {
  const options = command.options.filter(({ hidden }) => !hidden)
  const inner = command.commands.filter((each) => !each.name().startsWith('_'))
  return [
    `${'#'.repeat(depth)} ${path}`,
    sentence(cell(command.description())),
    ...(inner.length > 0 && options.length + command.registeredArguments.length === 0
      ? []
      : [`\`\`\`sh\n${path} ${command.usage()}\n\`\`\``]),
    ...(command.registeredArguments.some(({ description }) => description !== '')
      ? [command.registeredArguments.map((each) => `- ${code(each.name())}: ${cell(each.description)}`).join('\n')]
      : []),
    ...(options.length === 0 ? [] : [`| option | says |\n| --- | --- |\n${options.map(optionRow).join('\n')}`]),
    ...inner.flatMap((each) => ofCommand(each, `${path} ${each.name()}`, Math.min(depth + 1, 4))),
  ]
}

/** The page of all commands, as Markdown. */
export async function commandsPage(): Promise<string> {
  const program = await everyCommand()
  return [
    '# Commands',
    'Every command takes `--help`. It ends with 0; with 1 where the server, a tool or the command failed; with 2 where it was refused or the line could not be understood.',
    ...program.commands.flatMap((command) => ofCommand(command, `countersign ${command.name()}`, 2)),
  ].join('\n\n')
}

interface JsonSchema {
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
  readonly additionalProperties?: JsonSchema | boolean
  readonly anyOf?: readonly JsonSchema[]
  readonly $ref?: string
}

function kindOf(schema: JsonSchema): string {
  if (schema.const !== undefined) return code(JSON.stringify(schema.const))
  if (schema.enum !== undefined) return schema.enum.map((each) => code(JSON.stringify(each))).join(', ')
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(kindOf))].join(' or ')
  if (schema.type === 'array') return `list of ${schema.items === undefined ? 'anything' : kindOf(schema.items)}`
  return schema.type ?? 'anything'
}

/** What can be set below a key, each by its whole path. */
export function settingRows(schema: JsonSchema, path = ''): readonly (readonly [path: string, schema: JsonSchema])[] {
  const below = Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const at = path === '' ? name : `${path}.${name}`
    return [[at, inner] as const, ...settingRows(inner, at)]
  })
  const others = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
  return [
    ...below,
    ...(others === undefined ? [] : settingRows(others, `${path}.*`)),
    ...(schema.items === undefined ? [] : settingRows(schema.items, `${path}[]`)),
    ...(schema.anyOf ?? []).flatMap((choice) => settingRows(choice, path)),
  ]
}

/** The page of all settings, as Markdown. */
export function settingsPage(): string {
  const rows = new Map(settingRows(configJsonSchema()))
  const variableOf = new Map(Object.entries(variables).map(([name, { path }]) => [path.join('.'), name]))
  const first = ([path]: readonly [string, unknown]): string => path.split(/[.[]/)[0] ?? path
  const sizes = Map.groupBy(rows, first)
  // A key without others below it needs no heading.
  const groups = Map.groupBy(rows, (each) => ((sizes.get(first(each))?.length ?? 0) > 1 ? first(each) : 'In general'))
  const row = ([path, schema]: readonly [string, JsonSchema]): string => {
    const variable = variableOf.get(path)
    const given = schema.default === undefined ? '' : ` Default: ${code(JSON.stringify(schema.default))}.`
    const named = variable === undefined ? '' : ` Variable: ${code(variable)}.`
    return `| ${code(path)} | ${kindOf(schema)} | ${schema.description === undefined ? '' : cell(schema.description)}${given}${named} |`
  }
  return [
    '# Settings',
    'All that may stand in the settings file (`--config FILE`). [Configuration](../guides/configuration.md) says how it is read and what it is for; editors complete it from `countersign.schema.json`. `[]` is an entry of a list, `*` a name of your own.',
    ...[...groups].flatMap(([name, all]) => [
      `## ${name}`,
      `| key | takes | says |\n| --- | --- | --- |\n${all.map(row).join('\n')}`,
    ]),
  ].join('\n\n')
}

if (import.meta.main) {
  const folder = join(import.meta.dirname, '..', 'api')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'commands.md'), await commandsPage())
  writeFileSync(join(folder, 'settings.md'), settingsPage())
}
