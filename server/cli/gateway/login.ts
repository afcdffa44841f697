// `countersign login` and `logout`: a person lets the gateway in at a server that asks for a login (OAuth). What it gets there
// lies sealed in the database, for every process that serves from it; nothing of it is ever printed.
import { randomBytes } from 'node:crypto'
import type { Command } from 'commander'
import { InvalidArgumentError, Option } from 'commander'
import { beginLogin, revokeLogin, type BegunLogin } from '../../compose/gateway/login-flow.ts'
import { loginState, shownAddress, type Login } from '../../compose/gateway/logins.ts'
import { fail, type Result } from '../../errors/result.ts'
import { byOption, configOption, dbOption, withOutput, type Done, type OutputOptions } from '../config-options.ts'
import { asOperator, beginHere, type OperatorOptions, type Records } from '../operators/operator.ts'
import { port } from '../port.ts'
import { openBrowser } from '../terminal/open-browser.ts'
import { cell, exit, minute, printList, say, trouble, type Trouble } from '../terminal/output.ts'
import { listenForAnswer } from './login-answer.ts'
import { targetOf, type Target, type TargetOptions } from './login-target.ts'
import { wishOf, type Wish, type WishOptions } from './login-wish.ts'
import { surroundings } from '../../model/surroundings.ts'

interface LoginOptions extends TargetOptions, WishOptions, OutputOptions {
  readonly list?: true
  readonly port: number
  /** In seconds. */
  readonly timeout: number
  readonly browser: boolean
  readonly privateNetwork?: true
}

/** Adds both commands. `done` takes the exit code. */
export function addLogin(program: Command, done: Done): void {
  withOutput(program.command('login'))
    .argument('[server]', 'its name in the settings, or the address that `wrap` is given')
    .option('--name <name>', 'what `wrap --name` calls a server that is given by its address')
    .option('--scope <scopes>', 'ask for these scopes besides those that the login has; with commas or blanks')
    .option('--client-id <id>', 'as what we are registered there; where it registers clients itself, nothing is needed')
    .option('--client-secret <variable>', 'environment variable that holds the secret of that client')
    .option('--issuer <address>', 'the authorization server that this secret is for, by its name for itself')
    .addOption(
      new Option('--port <port>', 'where the browser comes back to on this machine').argParser(port).default(0),
    )
    .addOption(new Option('--timeout <seconds>', 'how long to wait for the browser').argParser(seconds).default(300))
    .option('--private-network', 'its authorization server may lie on this machine or in a private network')
    .option('--no-browser', 'only print the address to open')
    .option('--list', 'list the logins that there are')
    .addOption(byOption())
    .addOption(configOption())
    .addOption(dbOption())
    .action((server: string | undefined, options: LoginOptions) => done(login(server, options)))
  program
    .command('logout')
    .argument('<server>', 'its name, or its address, as `login --list` has them')
    .addOption(byOption())
    .addOption(configOption())
    .addOption(dbOption())
    .action((server: string, options: OperatorOptions & { readonly by?: string }) => done(logout(server, options)))
}

function seconds(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > 3600)
    throw new InvalidArgumentError('It is a number of seconds from 1 to 3600.')
  return value
}

async function login(word: string | undefined, options: LoginOptions): Promise<number> {
  if (options.list === true || word === undefined)
    return word === undefined && options.list === true
      ? asOperator(options, (records) => list(records, options.output))
      : trouble({ message: 'login takes the name of one server, or --list.', next: 'Write one of them.' }, exit.refused)
  const target = await targetOf(word, options)
  if (typeof target === 'number') return target
  if (!target.ok) return trouble(target.failure, exit.refused)
  const wish = wishOf(target.value.server, options)
  if (!wish.ok) return trouble(wish.failure, exit.refused)
  return asOperator(options, async (records) => {
    const { key } = target.value
    const end = await beginHere(records, 'server.login', options, {
      server: key.server,
      address: shownAddress(key.address),
    })
    const made = await inBrowser(records, target.value, wish.value, options)
    if (!made.ok) {
      await end({ done: false, error: { code: 'login_failed', message: made.failure.message } })
      return trouble(made.failure)
    }
    await records.logins.put(made.value)
    const { issuer, scope } = made.value
    await end({ done: true, result: { issuer, ...(scope === undefined ? {} : { scope }) } })
    const may = scope === undefined ? '' : ` It permits: ${scope}.`
    say.line(`Logged in at ${key.server}.${may} Servers that are running use it within seconds.`)
    if (made.value.tokens?.refresh === undefined && made.value.tokens?.expiresAt !== undefined)
      say.line(`It cannot be refreshed, and ends at ${minute(made.value.tokens.expiresAt)} UTC.`)
    return exit.ok
  })
}

/** The person agrees in a browser, which comes back here. */
async function inBrowser(
  { logins, now }: Records,
  { key, server }: Target,
  wish: Wish,
  options: LoginOptions,
): Promise<Result<Login, Trouble>> {
  const listening = await listenForAnswer(options.port)
  if (!listening.ok) return listening
  const { redirectUrl, answer, close } = listening.value
  try {
    const begun = await beginLogin({
      ...key,
      config: server,
      redirectUrl,
      state: randomBytes(32).toString('base64url'),
      before: await logins.find(key),
      ...wish,
      privateNetwork: options.privateNetwork === true || server.oauth?.private_network === true,
      now,
    })
    if (!begun.ok) return begun
    sayWhere(key.server, begun.value, options)
    const answered = await answer(begun.value.isOurs, options.timeout * 1000)
    if (answered !== undefined) return await begun.value.finish(answered)
    return fail({
      message: `Nobody is logged in at ${key.server}: no answer came within ${options.timeout} seconds.`,
      next: 'Run the command again; --timeout gives more time.',
    })
  } finally {
    close()
  }
}

function sayWhere(server: string, { address, issuer, scope }: BegunLogin, { browser }: LoginOptions): void {
  say.line(`To log in at ${server}, agree at ${issuer}${scope === undefined ? '' : ` to: ${scope}`}`)
  say.line(`  ${address.href}`)
  if (!browser || surroundings().stderr.isTTY !== true) return
  say.line('It opens in your browser. If it does not, open it yourself.')
  openBrowser(address)
}

async function logout(word: string, options: OperatorOptions & { readonly by?: string }): Promise<number> {
  return asOperator(options, async (records) => {
    // Also one whose server stands in no settings any more.
    const named = (await records.logins.all()).filter(
      (each) => each.server === word || [each.address, shownAddress(each.address)].includes(word),
    )
    const [known, ...more] = named.length < 2 ? named : await ofSettings(named, word, options)
    if (known === undefined)
      return trouble({
        message: `Nobody is logged in at ${word}.`,
        next: '`countersign login --list` lists the logins.',
      })
    if (more.length > 0)
      return trouble(
        {
          message: `There are ${more.length + 1} logins at ${word}.`,
          // Those of one name differ by their address, those of one address by their name.
          next: `Name one: ${named.map(({ server, address }) => (server === word ? shownAddress(address) : server)).join(', ')}`,
        },
        exit.refused,
      )
    const end = await beginHere(records, 'server.logout', options, {
      server: known.server,
      address: shownAddress(known.address),
    })
    // Forgotten first: nothing is sent with it any more, whatever its authorization server answers.
    const done = await records.logins.remove(known)
    const revoked = await revokeLogin(known)
    await end({ done, result: { revoked } })
    say.line(
      revoked
        ? `Logged out of ${known.server}, and its authorization server has ended the login.`
        : `Logged out of ${known.server}. Its authorization server did not end the login: remove Countersign there, too (${known.issuer}).`,
    )
    return exit.ok
  })
}

/** Of several logins under one name the one that the settings mean; all of them where they name none. */
async function ofSettings(named: readonly Login[], word: string, options: OperatorOptions): Promise<readonly Login[]> {
  if (options.config === undefined) return named
  const target = await targetOf(word, options)
  if (typeof target === 'number' || !target.ok) return named
  const { address } = target.value.key
  return named.filter((each) => each.address === address && each.server === target.value.key.server)
}

async function list({ logins }: Records, output: OutputOptions['output']): Promise<number> {
  const all = (await logins.all()).toSorted((a, b) => a.server.localeCompare(b.server) || a.at - b.at)
  return printList(output, {
    value: all.map((each) => ({
      server: each.server,
      address: shownAddress(each.address),
      issuer: each.issuer,
      scope: each.scope ?? null,
      since: new Date(each.at).toISOString(),
      state: loginState(each),
    })),
    head: ['SERVER', 'ADDRESS', 'AUTHORIZATION SERVER', 'SINCE', 'STATE', 'SCOPES'],
    rows: all.map((each) => [
      each.server,
      cell(shownAddress(each.address), 60),
      cell(each.issuer, 60),
      minute(each.at),
      loginState(each),
      cell(each.scope ?? '-', 60),
    ]),
    none: 'There are no logins. `countersign login SERVER` makes one.',
  })
}
