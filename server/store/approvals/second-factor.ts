// A second factor is worth something only if it cannot be guessed and not be used twice, whatever number of processes is
// asked at once. So each check is one transaction that takes the write lock first, reads what was used, and writes down
// the try before anyone hears the answer (RFC 6238, section 5.2: a code is accepted once). `otpauth` is loaded by the first
// code: every process opens a store, and few ever see one.
import type { Kysely } from 'kysely'
import { packageOnFirstUse } from '../../errors/optional-package.ts'
import { toChange } from '../dialect-locks.ts'
import { epoch } from '../plan-row.ts'
import type { StoreParts, Tables } from '../tables.ts'
import type { CodeCheck, SecondFactorCheck } from '../../model/second-factor.ts'

export interface SecondFactorTable {
  /** `active`, or `pending` until its first code has been seen. */
  readonly name: string
  /** Sealed. */
  readonly secret: Uint8Array
  /** The counter (RFC 6238, section 4.2) of the last code that was accepted. */
  readonly last_counter: number
  /** Wrong codes since the last right one, or since the last pause. */
  readonly tries: number
  readonly paused_until: number
  readonly created_at: number
}

interface Enrolment {
  /** For the approver's authenticator, shown once. */
  readonly uri: string
  /** The same secret in base 32, for typing. */
  readonly secret: string
}

export interface SecondFactor extends SecondFactorCheck {
  /** Makes a new secret. It counts from its first right code on. */
  begin(label: string): Promise<Enrolment>
  /** Puts the new secret in force if this is its code. */
  confirm(code: string): Promise<boolean>
  /** Takes the authenticator away, lost or not, and any pause with it. False where none was enrolled. */
  reset(): Promise<boolean>
}

const TRIES = 5
const PAUSE_MS = 15 * 60 * 1000

/** Loads what makes and checks codes. @throws {PackageMissing} where it is not installed. */
export const loadCodes = packageOnFirstUse('otpauth', () => import('otpauth'))

/**
 * A second factor on one database: that of the admin token, or an account's own. What is sealed names its owner, so that
 * nobody's secret can be put in another's place.
 */
export const createSecondFactor = ({ db, sealer, now }: StoreParts, account?: string): SecondFactor => {
  const of = account === undefined ? '' : ` ${account}`
  const [active, pending, sealedAs] = [`active${of}`, `pending${of}`, `second factor${of}`]
  const rowOf = (name: string, from: Kysely<Tables> = db) =>
    from.selectFrom('countersign_second_factor').selectAll().where('name', '=', name)

  const enrolled = async (): Promise<boolean> => (await rowOf(active).executeTakeFirst()) !== undefined

  const begin = async (label: string): Promise<Enrolment> => {
    const { Secret, TOTP } = await loadCodes()
    const secret = new Secret({ size: 20 })
    const row = {
      secret: sealer.seal(sealedAs, 'secret', secret.base32),
      last_counter: 0,
      tries: 0,
      paused_until: 0,
      created_at: now(),
    }
    await db
      .insertInto('countersign_second_factor')
      .values({ name: pending, ...row })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
      .execute()
    return { uri: new TOTP({ issuer: 'Countersign', label, secret }).toString(), secret: secret.base32 }
  }

  const confirm = async (code: string): Promise<boolean> =>
    await db.transaction().execute(async (trx) => {
      const row = await toChange(trx, rowOf(pending, trx)).executeTakeFirst()
      if (row === undefined) return false
      const counter = await counterOf(sealer.open(sealedAs, 'secret', row.secret), code, now())
      if (counter === undefined) return false
      await trx.deleteFrom('countersign_second_factor').where('name', 'in', [active, pending]).execute()
      await trx
        .insertInto('countersign_second_factor')
        // The code of the enrolment has been used, too.
        .values({ ...row, name: active, last_counter: counter })
        .execute()
      return true
    })

  const check = async (code: string): Promise<CodeCheck> =>
    await db.transaction().execute(async (trx): Promise<CodeCheck> => {
      const at = now()
      const row = await toChange(trx, rowOf(active, trx)).executeTakeFirst()
      if (row === undefined) return { kind: 'not-enrolled' }
      const pausedUntil = epoch.parse(row.paused_until)
      if (pausedUntil > at) return { kind: 'paused', until: pausedUntil }
      const counter = await counterOf(sealer.open(sealedAs, 'secret', row.secret), code, at)
      const used = counter !== undefined && counter <= epoch.parse(row.last_counter)
      const update = trx.updateTable('countersign_second_factor').where('name', '=', active)
      if (counter !== undefined && !used) {
        await update.set({ last_counter: counter, tries: 0, paused_until: 0 }).execute()
        return { kind: 'right' }
      }
      const tries = row.tries + 1
      const spent = tries >= TRIES
      await update.set({ tries: spent ? 0 : tries, paused_until: spent ? at + PAUSE_MS : 0 }).execute()
      return spent ? { kind: 'paused', until: at + PAUSE_MS } : { kind: 'wrong', used, triesLeft: TRIES - tries }
    })

  const reset = async (): Promise<boolean> => {
    const gone = await db
      .deleteFrom('countersign_second_factor')
      .where('name', 'in', [active, pending])
      .returning('name')
      .execute()
    return gone.some(({ name }) => name === active)
  }

  return { enrolled, begin, confirm, check, reset }
}

/** The time step that this code belongs to: now, or one step to either side for a clock that is a little off. */
async function counterOf(secret: string, code: string, at: number): Promise<number | undefined> {
  const token = code.replace(/[\s-]/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const { Secret, TOTP } = await loadCodes()
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const delta = totp.validate({ token, timestamp: at, window: 1 })
  return delta === null ? undefined : totp.counter({ timestamp: at }) + delta
}
