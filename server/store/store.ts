// Durable facts: what was previewed, confirmed and done must survive a crash, a power cut and a second process, and lie
// unreadable on the disk. This is the only door to them; a query of our tables exists nowhere else.
import type { Kysely } from 'kysely'
import type { LoginStore } from '../model/logins.ts'
import type { Approvals } from '../model/approvals.ts'
import type { Grants } from '../model/grants.ts'
import type { ActivityLog } from '../model/activity.ts'
import type { PlanStore } from '../model/plan-store.ts'
import type { Switches } from '../model/switches.ts'
import { createAccess, type Access } from './access/access.ts'
import { sweepLimits } from './access/limiter.ts'
import { sweepWords } from './activity/search/index-words.ts'
import { createOperators, type Operators } from './accounts/operators.ts'
import type { PasswordCost } from './accounts/password.ts'
import { sweepSessions } from './accounts/sessions.ts'
import { sweepSignInLinks } from './accounts/sign-in-links.ts'
import { createActivity, type ActivityReader } from './activity/activity.ts'
import type { Recording } from './activity/write/append.ts'
import { createApprovals, sweepApprovals, type WaitingApprovals } from './approvals/approvals.ts'
import { createSecondFactor, type SecondFactor } from './approvals/second-factor.ts'
import { refuse } from './failure.ts'
import type { StoreResult } from './failure.ts'
import { createFeedback, type Feedback } from './feedback/feedback.ts'
import { createGracePeriod, type GracePeriod } from './grace-period/grace-period.ts'
import { createGrants } from './grants/grants.ts'
import { sweepGrants } from './grants/sweep.ts'
import { keyFromSecret } from './key.ts'
import { openSealer } from './key-check.ts'
import { createLogins } from './logins/logins.ts'
import { migrate, schemaState } from './migrations/migrate.ts'
import { createNotifications, sweepNotifications, type Notifications } from './notifications/notifications.ts'
import { createPins, type Pins } from './pins/pins.ts'
import { createPlanStore } from './plan-store.ts'
import { isPostgresAddress, shownAddress } from './postgres/address.ts'
import { openPostgres } from './postgres/load.ts'
import { isStoreAway } from '../model/store-away.ts'
import { openSqliteDatabase, sqliteName } from './sqlite/database.ts'
import { sweepPlans, sweptUpTo } from './sweep.ts'
import type { Swept } from './sweep.ts'
import { createSwitches } from './switches/switches.ts'
import type { Tables } from './tables.ts'

export type { Access } from './access/access.ts'
export type { TokenRecord } from './access/tokens.ts'
export type { Account, AccountChange, ProviderPerson } from './accounts/account.ts'
export type { Operators } from './accounts/operators.ts'
export type { Session, Sessions } from './accounts/sessions.ts'
export { nameKey } from './accounts/account-row.ts'
export { makePassword, weakness } from './accounts/password.ts'
export { errnoOf } from './failure.ts'
export {
  anchorPlace,
  appendAnchors,
  readAnchors,
  readAnchorsSoFar,
  setAnchorsAside,
} from './activity/chain/anchor-file.ts'
export type { AnchorsRead } from './activity/chain/anchor-file.ts'
export type { Anchor } from './activity/chain/anchor.ts'
export { statuses } from './activity/read/entry.ts'
export type { Asked, Decision } from './activity/read/beside.ts'
export type { CallBrief, CallLine, CallRecord } from './activity/read/entry.ts'
export type { ActivityReader, Figures } from './activity/activity.ts'
export type { Histogram } from './activity/read/histogram.ts'
export type { Filter as ActivityFilter } from './activity/read/filter.ts'
export type { Place } from './activity/read/query.ts'
export { mostWords, wordsIn } from './activity/search/words.ts'
export type { Retention } from './activity/retention/retain.ts'
export type { RetentionTime } from './retention-clock.ts'
export type { TenantReport } from './activity/chain/verify.ts'
export type { WaitingApprovals } from './approvals/approvals.ts'
export { dataFile, defaultDatabaseFile } from './default-file.ts'
export { seenTools, type SeenTools } from './pins/seen.ts'
export { readEditorItems } from './editor-items.ts'
export { createPrivateFile, exposedMode, replaceFile } from './private-file.ts'
export { changeSecrets, readSecrets, secretName, secretsFile, type Secrets } from './secrets-file.ts'
export { withFileLock } from './file-lock.ts'
export { isPostgresAddress } from './postgres/address.ts'
export type { FeedbackItem } from './feedback/feedback.ts'
export type { HeldNotice, NoticeDraft, NoticeEnd } from './notifications/notification.ts'
export type { Notifications } from './notifications/notifications.ts'
export type { StoreFailure, StoreResult } from './failure.ts'

export interface StoreOptions {
  /** A path, `:memory:`, or the address of a PostgreSQL database (`postgres://…`). */
  readonly file: string
  /**
   * COUNTERSIGN_SECRET: at least 16 characters. Without it the key lies in a file beside the database; PostgreSQL, which
   * has no such place, needs it.
   */
  readonly secret?: string | undefined
  /** Epoch milliseconds; the database's clock when absent. */
  readonly now?: (() => number) | undefined
  /** What a password's hash costs; as much as is sound when absent. Tests of other things take less. */
  readonly passwordCost?: PasswordCost | undefined
  /** For `:memory:` on Node.js 24.16 and later: the bytes of a database that it begins with. Tests make its tables once. */
  readonly copyOf?: Uint8Array | undefined
}

/** What a look at the database has found. */
interface Probed {
  readonly missing: readonly string[]
  readonly unknown: readonly string[]
  /** Why nothing can be written. */
  readonly unwritable?: { readonly error: unknown }
}

export interface Store {
  readonly plans: PlanStore
  readonly approvals: Approvals
  /** How many approvals wait, and the newest of them; of one tenant, or of all. */
  readonly waitingApprovals: (tenant?: string) => Promise<WaitingApprovals>
  /** The approvers' second factor. */
  readonly secondFactor: SecondFactor
  /** The people who decide: accounts, sessions, delegations. */
  readonly operators: Operators
  /** Who may call: tokens, and what is known of a principal who is not connected. */
  readonly access: Access
  readonly switches: Switches
  readonly feedback: Feedback
  /** The time in which REST callers may leave out the rationale. */
  readonly grace: GracePeriod
  /** Grants. */
  readonly grants: Grants
  /** What is to be told to webhooks. */
  readonly notifications: Notifications
  /** Definitions of other people's tools as they were first seen. */
  readonly pins: Pins
  /** Logins at other people's servers. */
  readonly logins: LoginStore
  /** Where calls are written down. */
  readonly activityLog: ActivityLog
  /** The same rows, for those who ask about them. */
  readonly activity: ActivityReader
  /** For what the server does later on behalf of calls. */
  readonly recording: Recording
  /**
   * The same connection, for a toolset that keeps its own tables in this database (`db.$extendTables<…>()`). Names that
   * begin with `countersign_` are ours.
   */
  readonly db: Kysely<unknown>
  /** Absolute path, `:memory:`, or an address as it may be shown: without its password. */
  readonly file: string
  /** Epoch milliseconds by the store's clock, which all processes on this database share. */
  readonly now: () => number
  /** A 32-byte key for this purpose, the same in every process on this database. */
  readonly deriveKey: (purpose: string) => Uint8Array
  /**
   * Erases old results and removes old plans, at most `limit` of each (500 when absent). `at`: the time by which age is
   * counted, as in `activity.retain`.
   */
  sweep(limit?: number, at?: number): Promise<Swept>
  /**
   * Asks the database whether it is there, for the migrations that it lacks or has beyond ours, and whether it takes a
   * write: with a full disk it answers everything and keeps nothing.
   */
  probe(): Promise<Probed>
  /** Waits for what is running, then closes the file. A second call changes nothing. */
  close(): Promise<void>
}

/** Writes for good: what is taken back again never reaches the disk. One row, the same each time. */
const writeProbe = async (db: Kysely<Tables>, at: number): Promise<Pick<Probed, 'unwritable'>> => {
  try {
    await db
      .insertInto('countersign_meta')
      .values({ name: 'written_at', value: String(at) })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: String(at) }))
      .execute()
    return {}
  } catch (error) {
    if (isStoreAway(error)) throw error
    return { unwritable: { error } }
  }
}

/** How a database may be named to anybody: a path as it is, an address without its password. */
export const shownDatabase = (file: string): string => (isPostgresAddress(file) ? shownAddress(file) : file)

/** Opens the database, creating and migrating it as needed. Several processes may have the same one open. */
export const openStore = async (options: StoreOptions): Promise<StoreResult<Store>> => {
  const postgres = isPostgresAddress(options.file)
  const file = postgres ? shownAddress(options.file) : sqliteName(options.file)

  // Before anything is created.
  if (postgres && options.secret === undefined)
    return refuse(
      'secret-missing',
      file,
      `COUNTERSIGN_SECRET is not set, and beside the PostgreSQL database ${file} there is no file that could keep a key.`,
      'Set it to the same random text for every process on this database; make one with `openssl rand -base64 32`.',
    )
  const key = options.secret === undefined ? undefined : keyFromSecret(file, options.secret)
  if (key?.ok === false) return key
  const opened = await (postgres ? openPostgres(options.file) : openSqliteDatabase(file, options.copyOf))
  if (!opened.ok) return opened
  const database = opened.value
  const { db } = database
  const now = options.now ?? database.now
  const tables = db.$extendTables<Tables>()
  let closing: Promise<void> | undefined
  let settled = (): Promise<void> => Promise.resolve()
  // What cannot be written any more keeps nobody from closing.
  const close = (): Promise<void> =>
    (closing ??= settled().then(
      () => database.close(),
      () => database.close(),
    ))
  try {
    const migrated = await migrate(db, database.types)
    if (migrated.kind === 'newer') {
      await close()
      return refuse(
        'newer-schema',
        file,
        `The database ${file} was written by a newer Countersign (${migrated.names.join(', ')}).`,
        'Install the newer version, or name another database.',
      )
    }
    const sealer = await openSealer(tables, file, key?.value)
    if (!sealer.ok) {
      await close()
      return sealer
    }
    const { activityLog, activity, recording, write, writeAlone, ...log } = createActivity({
      db: tables,
      key: sealer.value.derive('activity chain'),
      now,
      relaxed: database.relaxed,
      flush: database.flush,
    })
    settled = log.settled
    const { lapseSome, ...plans } = createPlanStore({
      db: tables,
      reads: database.reads,
      sealer: sealer.value,
      now,
      clock: options.now === undefined ? database.clock : undefined,
      renewing: database.renewing,
      relaxed: database.relaxed,
      isLocal: !postgres,
      write,
      writeAlone,
    })
    const parts = { db: tables, sealer: sealer.value, now }
    const erasedUpTo = sweptUpTo()
    let wordsFrom = 0
    const sweep = async (limit = 500, at = now()): Promise<Swept> => {
      await lapseSome(limit)
      await sweepLimits(tables, now())
      await sweepApprovals(tables, at, limit)
      await sweepGrants(tables, at, limit)
      await sweepSessions(tables, at, limit)
      await sweepSignInLinks(tables, at, limit)
      await sweepNotifications(tables, at, limit)
      wordsFrom = await sweepWords(database.relaxed, wordsFrom)
      return await sweepPlans(tables, at, limit, erasedUpTo)
    }
    const decisions = {
      approvals: createApprovals(parts),
      secondFactor: createSecondFactor(parts),
      operators: createOperators({ ...parts, cost: options.passwordCost }),
      switches: createSwitches({ ...parts, reads: database.reads }),
      feedback: createFeedback(parts),
      grace: createGracePeriod(parts),
      grants: createGrants(parts),
      notifications: createNotifications(parts),
    }
    return {
      ok: true,
      value: {
        plans,
        ...decisions,
        access: createAccess(parts),
        waitingApprovals: (tenant) => decisions.approvals.waiting(tenant),
        pins: createPins(tables),
        logins: createLogins(parts),
        activityLog,
        activity,
        recording,
        db,
        file,
        now,
        deriveKey: sealer.value.derive,
        sweep,
        probe: async () => ({ ...(await schemaState(db)), ...(await writeProbe(tables, now())) }),
        close,
      },
    }
  } catch (error) {
    await close()
    return database.refuse(error)
  }
}
