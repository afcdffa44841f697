// People who decide have names, and a name that stands in the record must be one person's for good: so names are unique
// whatever their spelling, an account is disabled rather than renamed, and whatever ends trust in it ends its sessions in
// the same step.
import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { createSecondFactor } from '../approvals/second-factor.ts'
import type { StoreParts, Tables } from '../tables.ts'
import type { Account, AccountChange, AccountDraft, ProviderPerson, ProviderSignIn } from './account.ts'
import { nameKey, toAccount } from './account-row.ts'
import { checkPassword, hashPassword, passwordCost, type PasswordCost } from './password.ts'

export interface AccountsParts extends StoreParts {
  readonly cost?: PasswordCost | undefined
}

export type Accounts = ReturnType<typeof createAccounts>

/** Operators' accounts on one database. */
export const createAccounts = ({ db, sealer, now, cost = passwordCost }: AccountsParts) => {
  const byName = (name: string, from: Kysely<Tables> = db) =>
    from.selectFrom('countersign_accounts').selectAll().where('name_key', '=', nameKey(name)).executeTakeFirst()

  const insert = async (
    of: Omit<AccountDraft, 'password'>,
    secret: { readonly password: string | null; readonly provider: string | null },
    to: Kysely<Tables>,
  ): Promise<Account | undefined> => {
    const at = now()
    const row = await to
      .insertInto('countersign_accounts')
      .values({
        id: `op_${randomBytes(8).toString('hex')}`,
        name: of.name.trim(),
        name_key: nameKey(of.name),
        tenant: of.tenant ?? null,
        roles: JSON.stringify(of.roles),
        subjects: JSON.stringify(of.subjects),
        ...secret,
        state: 'active',
        created_at: at,
        changed_at: at,
      })
      .onConflict((conflict) => conflict.column('name_key').doNothing())
      .returningAll()
      .executeTakeFirst()
    return row === undefined ? undefined : toAccount(row)
  }

  /** Answers the account afterwards. Disabling ends its sessions. */
  const change = async (id: string, { tenant, roles, subjects, state }: AccountChange): Promise<Account | undefined> =>
    await db.transaction().execute(async (trx) => {
      const row = await trx
        .updateTable('countersign_accounts')
        .set({
          changed_at: now(),
          ...(tenant === undefined ? {} : { tenant }),
          ...(roles === undefined ? {} : { roles: JSON.stringify(roles) }),
          ...(subjects === undefined ? {} : { subjects: JSON.stringify(subjects) }),
          ...(state === undefined ? {} : { state }),
        })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
      if (state === 'disabled') await endSessions(trx, id)
      return row === undefined ? undefined : toAccount(row)
    })

  /** Ends its sessions. False where there is no such account. */
  const setPassword = async (id: string, password: string): Promise<boolean> => {
    const hash = await hashPassword(password, cost)
    return await db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('countersign_accounts')
        .set({ password: hash, changed_at: now() })
        .where('id', '=', id)
        .executeTakeFirst()
      await endSessions(trx, id)
      return numUpdatedRows > 0n
    })
  }

  /** The account, if it is active and this is its password. Takes as long for a name that nobody has. */
  const check = async (name: string, password: string): Promise<Account | undefined> => {
    const row = await byName(name)
    const hash = row?.password ?? undefined
    const { right, outgrown } = await checkPassword(password, hash, cost)
    if (!right || hash === undefined || row?.state !== 'active') return undefined
    if (outgrown)
      // Whoever has set another password meanwhile keeps that one.
      await db
        .updateTable('countersign_accounts')
        .set({ password: await hashPassword(password, cost) })
        .where('id', '=', row.id)
        .where('password', '=', hash)
        .execute()
    return toAccount(row)
  }

  /** Ends its sessions and its delegations; its name stays where it was recorded. */
  const remove = async (id: string): Promise<boolean> =>
    await db.transaction().execute(async (trx) => {
      const { numDeletedRows } = await trx.deleteFrom('countersign_accounts').where('id', '=', id).executeTakeFirst()
      await endSessions(trx, id)
      await trx
        .updateTable('countersign_delegations')
        .set({ revoked_at: now(), revoked_by: 'the removal of the account' })
        .where((is) => is.or([is('from_id', '=', id), is('to_id', '=', id)]))
        .where('revoked_at', 'is', null)
        .execute()
      await createSecondFactor({ db: trx, sealer, now }, id).reset()
      return numDeletedRows > 0n
    })

  /** Whom a provider vouches for, made or brought up to date. */
  const fromProvider = async (person: ProviderPerson): Promise<ProviderSignIn> => {
    const provider = JSON.stringify([person.issuer, person.subject])
    const { tenant, roles } = person
    return await db.transaction().execute(async (trx): Promise<ProviderSignIn> => {
      const known = await trx
        .updateTable('countersign_accounts')
        .set({ tenant: tenant ?? null, roles: JSON.stringify(roles) })
        .where('provider', '=', provider)
        .returningAll()
        .executeTakeFirst()
      if (known !== undefined) {
        const account = toAccount(known)
        return account.state === 'disabled' ? { kind: 'disabled' } : { kind: 'account', account }
      }
      const made = await insert({ ...person, subjects: [] }, { password: null, provider }, trx)
      if (made !== undefined) return { kind: 'account', account: made }
      const named = await byName(person.name, trx)
      // Of two first sign-ins at the same instant one made it.
      return named?.provider === provider && named.state === 'active'
        ? { kind: 'account', account: toAccount(named) }
        : { kind: 'name-taken', name: person.name }
    })
  }

  return {
    /** `undefined`: the name is taken. */
    add: async ({ password, ...draft }: AccountDraft) =>
      await insert(draft, { password: await hashPassword(password, cost), provider: null }, db),
    find: async (name: string) => {
      const row = await byName(name)
      return row === undefined ? undefined : toAccount(row)
    },
    byId: async (id: string) => {
      const row = await db.selectFrom('countersign_accounts').selectAll().where('id', '=', id).executeTakeFirst()
      return row === undefined ? undefined : toAccount(row)
    },
    /** Whether somebody signs in with a password. */
    anyPassword: async (): Promise<boolean> =>
      (await db
        .selectFrom('countersign_accounts')
        .select('id')
        .where('password', 'is not', null)
        .limit(1)
        .executeTakeFirst()) !== undefined,
    /** By name. */
    list: async (): Promise<readonly Account[]> =>
      (await db.selectFrom('countersign_accounts').selectAll().orderBy('name_key').execute()).map(toAccount),
    change,
    setPassword,
    check,
    remove,
    /** Notes that the person has signed in. */
    seen: async (id: string): Promise<void> => {
      await db.updateTable('countersign_accounts').set({ seen_at: now() }).where('id', '=', id).execute()
    },
    fromProvider,
    /** The account's own second factor. */
    factor: (id: string) => createSecondFactor({ db, sealer, now }, id),
  }
}

const endSessions = (db: Kysely<Tables>, account: string) =>
  db.deleteFrom('countersign_sessions').where('account_id', '=', account).execute()
