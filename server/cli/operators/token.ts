// `countersign token`: who may call over HTTP where `access.mode` is "tokens". What is printed on stdout is the token and
// nothing else, so that a script can put it where it belongs without anybody seeing it.
import type { Command } from 'commander'
import { untilWords } from '../../http/activity/time-input.ts'
import { tokenSchema } from '../../http/auth/token-input.ts'
import { draftView, tokenView } from '../../http/auth/tokens-api.ts'
import { byOption, databaseCommands, withOutput, type Done, type OutputOptions } from '../config-options.ts'
import { asOperator, beginHere, operatorName, type OperatorOptions, type Records } from './operator.ts'
import { cell, exit, print, printedAs, printList, say, trouble } from '../terminal/output.ts'

interface CreateOptions extends OperatorOptions, OutputOptions {
  readonly tenant: string
  readonly subject: string
  readonly permissions?: string
  readonly expires?: string
  readonly label?: string
  readonly by?: string
}

interface ListOptions extends OperatorOptions, OutputOptions {
  readonly tenant?: string
}

/** Adds the commands. `done` takes the exit code. */
export function addToken(program: Command, done: Done): void {
  const command = databaseCommands(program.command('token'))
  withOutput(command('create', 'makes a token and prints it, once; as JSON with all that is known of it'))
    .requiredOption('--subject <name>', 'who calls with it')
    .option('--tenant <name>', 'to which tenant they belong', 'default')
    .option('--permissions <list>', 'what they may do, with commas: orders:read,orders:write; * for everything')
    .option('--expires <when>', `${untilWords}; for ever when left out`)
    .option('--label <text>', 'what it is for')
    .addOption(byOption())
    .action((options: CreateOptions) => done(create(options)))
  withOutput(command('list', 'lists tokens: who has one, what it may do, when it was used last'))
    .option('--tenant <name>', 'of this tenant only')
    .action((options: ListOptions) => done(asOperator(options, (records) => list(records, options))))
  command('revoke', 'ends a token at once')
    .argument('<id>', 'tk_…')
    .addOption(byOption())
    .action((id: string, options: OperatorOptions & { readonly by?: string }) =>
      done(asOperator(options, (records) => revoke(records, id, options.by))),
    )
}

async function create({ output, by, permissions, ...options }: CreateOptions): Promise<number> {
  const { tenant, subject, expires, label } = options
  const names = permissions?.split(/[\s,]+/).filter((name) => name !== '')
  const parsed = tokenSchema(Date.now).safeParse({
    tenant,
    subject,
    ...(names === undefined ? {} : { permissions: names }),
    ...(expires === undefined ? {} : { expires }),
    ...(label === undefined ? {} : { label }),
  })
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const name = String(issue?.path[0] ?? 'option')
    trouble({ message: `--${name} cannot be used: ${issue?.message ?? 'not understood'}.`, next: 'Correct it.' })
    return 2
  }
  return asOperator(options, async ({ access, activityLog }) => {
    const { subject, permissions, label, expires: expiresAt, tenant: named = tenant } = parsed.data
    const draft = { tenant: named, subject, permissions, label, expiresAt, by: operatorName(by) }
    const end = await beginHere({ activityLog }, 'operator.token_created', { by, tenant: named }, draftView(draft))
    const made = await access.tokens.create(draft)
    await end({ done: true, result: { id: made.record.id } })
    if (await printedAs(output, { token: made.token, ...tokenView(made.record) })) return exit.ok
    print(made.token)
    const { record } = made
    const may =
      record.permissions === 'all' ? 'everything' : record.permissions.join(', ') || 'what takes no permission'
    const ends = record.expiresAt === undefined ? 'for ever' : `until ${new Date(record.expiresAt).toISOString()}`
    say.line(`${record.id}: ${record.subject} of tenant ${record.tenant} may do ${may}, ${ends}.`)
    say.line('This is the only time that it is shown. Send it as `Authorization: Bearer …`.')
    return 0
  })
}

async function list({ access }: Records, { tenant, output }: ListOptions): Promise<number> {
  const tokens = (await access.tokens.list(tenant)).map(tokenView)
  return printList(output, {
    value: tokens,
    head: ['ID', 'TENANT', 'SUBJECT', 'STATE', 'ENDS', 'LAST USED', 'MAY', 'LABEL'],
    rows: tokens.map((each) => [
      each.id,
      cell(each.tenant, 20),
      cell(each.subject, 30),
      each.state,
      each.expires_at?.slice(0, 10) ?? 'never',
      each.used_at?.slice(0, 16).replace('T', ' ') ?? 'never',
      cell(each.permissions.join(',') || '-', 40),
      cell(each.label ?? '', 40),
    ]),
    none: 'There are no tokens. `countersign token create` makes one.',
  })
}

async function revoke({ access, activityLog }: Records, id: string, by: string | undefined): Promise<number> {
  const found = await access.tokens.find(id)
  if (found !== undefined) {
    const { tenant, subject } = found
    const end = await beginHere({ activityLog }, 'operator.token_revoked', { by, tenant }, { id, subject })
    const revoked = await access.tokens.revoke(id, operatorName(by))
    await end({ done: revoked })
    if (revoked) {
      say.line(`Revoked ${id}: it is not accepted any more.`)
      return 0
    }
  }
  return trouble({ message: `There is no token ${id} that can be used.`, next: '`countersign token list` lists them.' })
}
