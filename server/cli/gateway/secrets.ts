// `countersign secrets`: keys of services that the servers of a gateway file are started with, kept sealed on this machine.
// A value comes in hidden and never goes out: a terminal's history and its scrollback are read by others.
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { changeSecrets, readSecrets, secretName, secretsFile, type Secrets } from '../../compose/settings/secrets.ts'
import { withOutput, type Done, type OutputOptions } from '../config-options.ts'
import { ok } from '../../errors/result.ts'
import { needsTerminal, withTerminal } from '../terminal/ask.ts'
import { exit, print, printedAs, say, thereIsNo, trouble } from '../terminal/output.ts'
import { surroundings } from '../../model/surroundings.ts'

/** Adds the commands. `done` takes the exit code. */
export function addSecrets(program: Command, done: Done): void {
  const secrets = program.command('secrets')
  secrets
    .command('set')
    .description('keeps one, sealed; asks for its value, or reads it from a pipe')
    .argument('<name>', 'letters, digits, _ . and -')
    .action((name: string) => done(set(name)))
  withOutput(secrets.command('list'))
    .description('the names of those that are kept')
    .action((options: OutputOptions) => done(list(options)))
  secrets
    .command('remove')
    .description('forgets one')
    .argument('<name>')
    .action((name: string) => done(remove(name)))
}

const file = (): string => secretsFile(surroundings().env)

async function set(name: string): Promise<number> {
  const parsed = secretName.safeParse(name)
  if (!parsed.success)
    return trouble(
      {
        message: `${JSON.stringify(name.slice(0, 40))} cannot be the name of a secret.`,
        next: `It ${parsed.error.issues[0]?.message}.`,
      },
      exit.refused,
    )
  const kept = await readSecrets(file())
  if (!kept.ok) return trouble(kept.failure)
  const value = await valueOf(name)
  if (value === undefined) return trouble({ message: needsTerminal, next: 'Leave its error output where it is.' })
  if (value === '') return trouble({ message: 'Nothing was kept: the value is empty.', next: '' }, exit.refused)
  return keep(
    (now) => new Map([...now, [name, value]]),
    `Kept: ${name}. A gateway that runs has it after its next start.`,
  )
}

/**
 * From the person, hidden; from a pipe without its line's end. `undefined` where somebody types and could not be asked: the
 * value would be seen.
 */
const valueOf = (name: string): Promise<string | undefined> =>
  withTerminal(true, async (terminal) => {
    if (terminal !== undefined) return terminal.askHidden(`Value of ${name}: `)
    const { stdin } = surroundings()
    return stdin.isTTY === true ? undefined : (await text(stdin)).replace(/\r?\n$/, '')
  })

async function list({ output }: OutputOptions): Promise<number> {
  const kept = await readSecrets(file())
  if (!kept.ok) return trouble(kept.failure)
  const names = [...kept.value.keys()].toSorted()
  if (await printedAs(output, names)) return exit.ok
  for (const name of names) print(name)
  say.line(`${kept.value.size} kept in ${file()}`)
  return exit.ok
}

async function remove(name: string): Promise<number> {
  const kept = await readSecrets(file())
  if (!kept.ok) return trouble(kept.failure)
  if (!kept.value.has(name)) return trouble(thereIsNo('secret', name, 'secrets list'), exit.refused)
  return keep(
    (now) => new Map([...now].filter(([other]) => other !== name)),
    `Removed: ${name}. A server that needs it does not start any more.`,
  )
}

async function keep(change: (kept: Secrets) => Secrets, said: string): Promise<number> {
  const written = await changeSecrets(file(), (kept) => ok(change(kept)))
  if (!written.ok) return trouble(written.failure)
  say.line(said)
  return exit.ok
}
