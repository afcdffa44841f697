// `countersign secrets`: keys of services that the servers of a gateway file are started with, kept sealed on this machine.
// A value comes in hidden and never goes out: a terminal's history and its scrollback are read by others.
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { readSecrets, secretName, secretsFile, writeSecrets, type Secrets } from '../../compose/secrets.ts'
import type { Done } from '../config-options.ts'
import { withTerminal } from '../terminal/ask.ts'
import { exit, print, say, streams, thereIsNo, trouble } from '../terminal/output.ts'

/** Adds the commands. `done` takes the exit code. */
export function addSecrets(program: Command, done: Done): void {
  const secrets = program
    .command('secrets')
    .description('keys that servers of a gateway file are started with: "${secret:NAME}" stands for one')
  secrets
    .command('set')
    .description('keeps one, sealed; asks for its value, or reads it from a pipe')
    .argument('<name>', 'letters, digits, _ . and -')
    .action((name: string) => done(set(name)))
  secrets
    .command('list')
    .description('the names of those that are kept')
    .action(() => done(list()))
  secrets
    .command('remove')
    .description('forgets one')
    .argument('<name>')
    .action((name: string) => done(remove(name)))
}

const file = (): string => secretsFile(process.env)

async function set(name: string): Promise<number> {
  if (!secretName.test(name))
    return trouble(
      {
        message: `"${name}" cannot be the name of a secret.`,
        next: 'Use letters, digits, _ . and -, beginning with one of the first three.',
      },
      exit.refused,
    )
  const kept = await readSecrets(file())
  if (!kept.ok) return trouble(kept.failure)
  const value = await valueOf(name)
  if (value === '') return trouble({ message: 'Nothing was kept: the value is empty.', next: '' }, exit.refused)
  return keep(
    new Map([...kept.value, [name, value]]),
    `Kept: ${name}. A gateway that runs has it after its next start.`,
  )
}

/** From the person, hidden; without a terminal from the pipe, without the line's end. */
const valueOf = (name: string): Promise<string> =>
  withTerminal(true, async (terminal) =>
    terminal === undefined
      ? (await text(streams().stdin)).replace(/\r?\n$/, '')
      : terminal.askHidden(`Value of ${name}: `),
  )

async function list(): Promise<number> {
  const kept = await readSecrets(file())
  if (!kept.ok) return trouble(kept.failure)
  for (const name of [...kept.value.keys()].toSorted()) print(name)
  say.line(`${kept.value.size} kept in ${file()}`)
  return exit.ok
}

async function remove(name: string): Promise<number> {
  const kept = await readSecrets(file())
  if (!kept.ok) return trouble(kept.failure)
  if (!kept.value.has(name)) return trouble(thereIsNo('secret', name, 'secrets list'), exit.refused)
  return keep(
    new Map([...kept.value].filter(([other]) => other !== name)),
    `Removed: ${name}. A server that needs it does not start any more.`,
  )
}

async function keep(secrets: Secrets, said: string): Promise<number> {
  const written = await writeSecrets(file(), secrets)
  if (!written.ok) return trouble(written.failure)
  say.line(said)
  return exit.ok
}
