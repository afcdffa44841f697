// What the account commands are told, read once: a role from its options, a password from a person or from chance.
import type { Command } from 'commander'
import { Option } from 'commander'
import { isName } from '../../http/operators/operator.ts'
import type { Role } from '../../model/operators.ts'
import { makePassword, weakness } from '../../http/auth/sign-in.ts'
import type { Terminal } from '../terminal/ask.ts'
import { ok, type Result } from '../../errors/result.ts'
import { failed, say, type Trouble } from '../terminal/output.ts'

type Read<T> = Result<T, Trouble>

export interface RoleOptions {
  readonly role?: Role['kind']
  readonly tools?: readonly string[]
  readonly maxAmount?: string
}

/** The options that describe a role. */
export const withRoleOptions = (command: Command): Command =>
  command
    .addOption(new Option('--role <role>', 'what the account may do').choices(['viewer', 'approver', 'admin']))
    .option('--tools <globs...>', "approver: of these tools, like 'orders_*'; of all when left out")
    .option('--max-amount <amount>', "approver: of calls up to this amount, like '500 EUR'; of any when left out")

/** The role that the options describe. */
export function readRole({ role = 'viewer', tools, maxAmount }: RoleOptions): Read<Role> {
  if (role !== 'approver') {
    if (tools === undefined && maxAmount === undefined) return ok({ kind: role })
    return failed('--tools and --max-amount are for approvers.', 'Say --role approver, or leave them out.')
  }
  const globs = (tools ?? ['*']).flatMap((text) => text.split(',')).map((text) => text.trim())
  const odd = globs.find((glob) => !/^[\w*:.-]{1,200}$/.test(glob))
  if (odd !== undefined)
    return failed(
      `${JSON.stringify(odd)} is not the name of a tool.`,
      "Write wire names, `*` for any part: 'orders_*'.",
    )
  if (maxAmount === undefined) return ok({ kind: 'approver', tools: globs })
  const amount = /^(\d{1,15}(?:\.\d{1,6})?) ?([A-Za-z]{3})$/.exec(maxAmount.trim())
  if (amount === null)
    return failed(`The amount ${JSON.stringify(maxAmount)} cannot be read.`, "Write it like '500 EUR' or '99.50 USD'.")
  const [, value = '', currency = ''] = amount
  return ok({ kind: 'approver', tools: globs, maxAmount: { value, currency: currency.toUpperCase() } })
}

/** A name that can stand in the record, or why it cannot. */
export const readName = (name: string): Read<string> =>
  isName(name.trim()) && name.trim().toLowerCase() !== 'admin'
    ? ok(name.trim())
    : failed(
        `The name ${JSON.stringify(name.slice(0, 100))} cannot be an account's.`,
        'A name has 1 to 100 characters on one line, and is not `admin`, as whoever has the admin token is called.',
      )

/** A new password: typed twice at a terminal, or made here and shown once. */
export async function newPassword(name: string, terminal: Terminal | undefined): Promise<Read<string>> {
  if (terminal === undefined) {
    const made = makePassword()
    say.line(`Password of ${name}, shown once:  ${made}`)
    return ok(made)
  }
  for (let tries = 0; tries < 3; tries++) {
    const password = await terminal.askHidden(`New password of ${name}: `)
    if (password === '') break
    const weak = weakness(password, name)
    if (weak !== undefined) say.line(`This password cannot be used. ${weak}`)
    else if (password === (await terminal.askHidden('The same again: '))) return ok(password)
    else say.line('The two passwords differ.')
  }
  return failed('No password was set.', 'Nothing was changed. Try again, or let one be made with --generate.')
}
