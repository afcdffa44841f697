// `countersign profile`: what is known of servers (docs/guides/profiles.md): which are shipped, one to begin with, and whether
// one can be used and fits its server. A server that is asked is only asked for its tools.
import { readFileSync, writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { meet, serverOf, serverWith, skeleton, testProfile } from '../../compose/profiles/live-profile.ts'
import { profileJsonSchema } from '../../compose/profiles/profile-schema-json.ts'
import { ownProfile, shippedIndex, shippedProfile } from '../../compose/profiles/profiles.ts'
import { variablesFor } from '../../compose/settings/secrets.ts'
import {
  configOption,
  settingsOf,
  withOutput,
  type ConfigOptions,
  type Done,
  type OutputOptions,
} from '../config-options.ts'
import { writeNewFile } from '../terminal/new-file.ts'
import { columns, exit, print, printJson, printedAs, say, trouble, write, type Trouble } from '../terminal/output.ts'
import { surroundings } from '../../model/surroundings.ts'

/** Adds the commands. `done` takes the exit code. */
export function addProfile(program: Command, done: Done): void {
  const profile = program.command('profile')
  withOutput(profile.command('list'))
    .description('the profiles that are shipped, and by what a server is recognised')
    .action((options: OutputOptions) => done(list(options)))
  profile
    .command('new')
    .description('writes a profile to begin with, from the tools that a server lists now')
    .argument('<server...>', 'its name in the settings file, or after -- its command and arguments')
    .option('--out <file>', 'where to; - prints it', '-')
    .option('--force', 'replace the file')
    .addOption(configOption())
    .action((words: readonly string[], options: NewOptions) => done(create(words, options)))
  withOutput(profile.command('check'))
    .description('says what is wrong with a profile, by line')
    .argument('<file>')
    .action((file: string, options: OutputOptions) => done(check(file, options)))
  withOutput(profile.command('test'))
    .description('holds a profile to the tools that its server lists now')
    .argument('<file>')
    .argument('[command...]', 'command of the server and its arguments, after --; else the one of the settings file')
    .option('--record', 'write down, where all else is right, that it was written for these definitions')
    .addOption(configOption())
    .action((file: string, words: readonly string[], options: TestOptions) => done(test(file, words, options)))
  profile
    .command('schema')
    .description('prints the JSON Schema of a profile, for editors')
    .action(() => printJson(profileJsonSchema()))
}

type NewOptions = ConfigOptions & { readonly out: string; readonly force?: true }
type TestOptions = ConfigOptions & OutputOptions & { readonly record?: true }

async function list({ output }: OutputOptions): Promise<number> {
  const all = await Promise.all(
    shippedIndex().map(async ({ name, match }) => {
      const { title, tools } = await shippedProfile(name)
      return { name, title, tools: Object.keys(tools).length, match }
    }),
  )
  if (await printedAs(output, all)) return exit.ok
  const rows = all.flatMap(({ name, title, match }) =>
    Object.entries(match).map(([kind, names], at) => [
      at === 0 ? name : '',
      at === 0 ? title : '',
      `${kind === 'server' ? 'own name' : kind} ${names?.join(', ') ?? ''}`,
    ]),
  )
  print(columns([['PROFILE', 'SERVER', 'RECOGNISED BY'], ...rows]))
  return exit.ok
}

async function create(words: readonly string[], options: NewOptions): Promise<number> {
  const settings = settingsOf(options)
  if (!settings.ok) return trouble(settings.failure, exit.refused)
  const variables = await variablesFor(settings.value, surroundings().env)
  const server = await serverOf(words, settings.value, variables)
  if (!server.ok) return trouble(server.failure, exit.refused)
  const met = await meet(server.value, settings.value)
  if (!met.ok) return trouble(met.failure)
  const text = skeleton(met.value)
  const { out, force } = options
  if (out === '-') {
    await write(text)
    return exit.ok
  }
  const refused = writeNewFile(out, text, { force: force === true, mode: 0o644 })
  if (refused !== undefined) return refused
  say.line(
    `Written: ${out}, with ${met.value.tools.length} tools. Set "profile": "${out}" in the server's entry to use it.`,
  )
  return exit.ok
}

async function check(file: string, { output }: OutputOptions): Promise<number> {
  const read = await ownProfile(file)
  if (!read.ok) return report(read.failure, {}, output)
  const { name, tools } = read.value.profile
  const all = Object.values(tools)
  const reads = all.filter(({ operation }) => operation === 'read').length
  if (output !== 'table') return report([], { name, tools: all.length, reads }, output)
  print(`${file} can be used: the profile ${name}, ${all.length} tools, ${reads} of them reads.`)
  return exit.ok
}

async function test(file: string, words: readonly string[], options: TestOptions): Promise<number> {
  const settings = settingsOf(options)
  if (!settings.ok) return trouble(settings.failure, exit.refused)
  const read = await ownProfile(file)
  if (!read.ok) return report(read.failure, {}, options.output)
  const { profile } = read.value
  const variables = await variablesFor(settings.value, surroundings().env)
  const server =
    words.length > 0
      ? await serverOf(words, settings.value, variables)
      : serverWith(file, profile, settings.value, variables)
  if (!server.ok) return trouble(server.failure, exit.refused)
  const met = await meet(server.value, settings.value)
  if (!met.ok) return trouble(met.failure)
  const { identity, tools } = met.value
  const { problems, changed, recorded } = testProfile({ ...read.value, file }, server.value, met.value)
  const about = { server: { name: identity.name, version: identity.version }, tools: tools.length }
  if (options.record === true && recorded !== undefined && recorded !== readFileSync(file, 'utf8')) {
    writeFileSync(file, recorded)
    say.line(`Written: ${file} is for ${identity.name} ${identity.version}.`)
  }
  const left = options.record === true && recorded !== undefined ? [] : [...problems, ...changed]
  const said = left.map(({ place, message, next }) => ({ message: `${place}: ${message}`, next }))
  if (said.length > 0 || options.output !== 'table') return report(said, about, options.output)
  print(`${file} fits ${identity.name} ${identity.version}: ${tools.length} tools.`)
  return exit.ok
}

/** Says every problem. Answers the exit code. */
async function report(problems: readonly Trouble[], about: object, output: OutputOptions['output']): Promise<number> {
  const whole = { ok: problems.length === 0, problems, ...about }
  if (!(await printedAs(output, whole))) for (const { message, next } of problems) say.line(`${message} ${next}`)
  return problems.length === 0 ? exit.ok : exit.failed
}
