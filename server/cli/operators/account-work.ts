// What the account commands do to accounts.
import { recordAct } from '../../operators/operator-record.ts'
import { newPassword, readName, readRole, type RoleOptions } from './account-input.ts'
import { atTerminal, withTerminal } from '../terminal/ask.ts'
import { enrol, reset } from './enrol.ts'
import { asOperator, operatorName, type OperatorOptions, type Records } from './operator.ts'
import { say, trouble, type Trouble } from '../terminal/output.ts'

type Account = NonNullable<Awaited<ReturnType<Records['operators']['accounts']['find']>>>

export interface AddOptions extends OperatorOptions, RoleOptions {
  readonly tenant?: string
  readonly subject?: readonly string[]
  readonly generate?: true
}

export interface RoleChange extends OperatorOptions, RoleOptions {
  readonly add?: true
  readonly subject?: readonly string[]
}

const unknownAccount = (name: string): Trouble => ({
  message: `There is no account ${JSON.stringify(name.slice(0, 100))}.`,
  next: '`countersign account list` shows those that there are.',
})

/** Writes down what was done to an account. */
const note = (
  { activityLog }: Records,
  act: string,
  { name, tenant }: Pick<Account, 'name'> & Partial<Pick<Account, 'tenant'>>,
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> =>
  recordAct(activityLog, {
    who: operatorName(undefined),
    tenant,
    via: 'terminal',
    act,
    done: true,
    details: { account: name, ...details },
  })

/** Finds the account and does the work. Answers the exit code. */
const withAccount = (
  name: string,
  options: OperatorOptions,
  work: (records: Records, account: Account) => Promise<number>,
): Promise<number> =>
  asOperator(options, async (records) => {
    const account = await records.operators.accounts.find(name)
    return account === undefined ? trouble(unknownAccount(name)) : await work(records, account)
  })

export const addAccount = (name: string, options: AddOptions): Promise<number> =>
  withTerminal(options.generate !== true, (terminal) =>
    asOperator(options, async (records) => {
      const { accounts } = records.operators
      const named = readName(name)
      if (!named.ok) return trouble(named.failure)
      const role = readRole(options)
      if (!role.ok) return trouble(role.failure)
      if ((await accounts.find(named.value)) !== undefined) return trouble(taken(named.value))
      const password = await newPassword(named.value, terminal)
      if (!password.ok) return trouble(password.failure)
      const account = await accounts.add({
        name: named.value,
        tenant: options.tenant,
        roles: [role.value],
        subjects: options.subject ?? [],
        password: password.value,
      })
      if (account === undefined) return trouble(taken(named.value))
      const { tenant, roles, subjects } = account
      await note(records, 'operator.account_added', account, { tenant: tenant ?? null, roles, subjects })
      say.line(`Added ${account.name}. \`countersign account totp '${account.name}'\` enrols an authenticator.`)
      return 0
    }),
  )

const taken = (name: string) => ({
  message: `There is an account ${JSON.stringify(name)} already, or one that reads the same.`,
  next: 'A name in the record is one person; take another one.',
})

export const changeState = (name: string, state: Account['state'], options: OperatorOptions): Promise<number> =>
  withAccount(name, options, async (records, account) => {
    await records.operators.accounts.change(account.id, { state })
    await note(records, state === 'disabled' ? 'operator.account_disabled' : 'operator.account_enabled', account)
    say.line(
      state === 'disabled' ? `${account.name} is disabled and signed out.` : `${account.name} may sign in again.`,
    )
    return 0
  })

export const setPassword = (name: string, options: AddOptions): Promise<number> =>
  withTerminal(options.generate !== true, (terminal) =>
    withAccount(name, options, async (records, account) => {
      if (account.signIn === 'oidc')
        return trouble({
          message: `${account.name} signs in at a provider and has no password here.`,
          next: 'Remove the account and add it anew to give it one.',
        })
      const password = await newPassword(account.name, terminal)
      if (!password.ok) return trouble(password.failure)
      await records.operators.accounts.setPassword(account.id, password.value)
      await note(records, 'operator.password_changed', account)
      say.line(`Changed. ${account.name} is signed out everywhere.`)
      return 0
    }),
  )

export const changeRoles = (name: string, options: RoleChange): Promise<number> =>
  withAccount(name, options, async (records, account) => {
    const described = options.role !== undefined || options.tools !== undefined || options.maxAmount !== undefined
    if (!described && options.subject === undefined)
      return trouble({
        message: 'No change was named.',
        next: 'Give --role, with --tools or --max-amount, or --subject.',
      })
    const role = readRole({ role: 'approver', ...options })
    if (!role.ok) return trouble(role.failure)
    const changed = await records.operators.accounts.change(account.id, {
      ...(described ? { roles: [...(options.add === true ? account.roles : []), role.value] } : {}),
      ...(options.subject === undefined ? {} : { subjects: options.subject }),
    })
    if (changed === undefined) return trouble(unknownAccount(name))
    const { roles, subjects } = changed
    await note(records, 'operator.role_changed', account, { roles, subjects })
    say.line(`Changed: ${account.name} is ${roles.map(({ kind }) => kind).join(' and ')}, from the next request on.`)
    return 0
  })

export const removeAccount = (name: string, options: OperatorOptions): Promise<number> =>
  withAccount(name, options, async (records, account) => {
    await records.operators.accounts.remove(account.id)
    await note(records, 'operator.account_removed', account)
    say.line(`Removed ${account.name}. What is recorded under that name stays.`)
    return 0
  })

export async function totp(name: string, options: OperatorOptions & { readonly reset?: true }): Promise<number> {
  return await atTerminal((terminal) =>
    withAccount(name, options, async (records, account) => {
      const code = await (options.reset === true ? reset : enrol)(terminal, {
        factor: records.operators.accounts.factor(account.id),
        label: account.name,
        command: `countersign account totp ${account.name}`,
        purpose: 'Signing in with a password takes a code of it, and so does approving what asks for one.',
      })
      if (code !== 0) return code
      await records.operators.sessions.endAll(account.id)
      await note(records, options.reset === true ? 'operator.totp_reset' : 'operator.totp_enrolled', account)
      return 0
    }),
  )
}
