// Why a PostgreSQL database does not open, in words for the person who typed its address. All of it may be shown to
// anybody: the address stands in it without its password.
import { refuse, type StoreResult } from '../failure.ts'
import { isStoreAway } from '../../model/store-away.ts'
import { codeOf, isAbsence } from './loss.ts'

/** What PostgreSQL's error means at the start. Anything else goes on as an exception. `name` is the shown address. */
export const refusePostgres = (name: string, error: unknown): StoreResult<never> => {
  const cause = isStoreAway(error) ? error.cause : error
  const code = codeOf(cause)
  const reason = reasonOf(cause)
  switch (code) {
    case '28P01':
    case '28000':
      return refuse(
        'login-refused',
        name,
        `PostgreSQL refuses the login of ${name} (${reason}).`,
        'Check user and password of the address (signs like @ : / % in them are written as %40 %3A %2F %25), or put the password into PGPASSWORD or ~/.pgpass.',
      )
    case '3D000':
      return refuse(
        'database-missing',
        name,
        `There is no database ${name} (${reason}).`,
        'Create it (`createdb --encoding=UTF8 <name>`), or name another one.',
      )
    case '42501':
    // No schema of the search path can be created in.
    case '3F000':
      return refuse(
        'not-permitted',
        name,
        `The user of ${name} may not create what Countersign needs there (${reason}).`,
        'Make it the owner of the database, or grant it `create` on the schema.',
      )
    case '25006':
      return refuse(
        'read-only',
        name,
        `The database ${name} cannot be written (${reason}).`,
        'Name the primary server, not a standby.',
      )
    case 'ENOTFOUND':
      return refuse(
        'server-unreachable',
        name,
        `The host of ${name} is not known (${reason}).`,
        'Check the address, or name another one.',
      )
    default:
      if (isAbsence(cause))
        return refuse(
          'server-unreachable',
          name,
          `PostgreSQL does not answer at ${name} (${reason}).`,
          'Check that it runs, listens on this address and lets this machine in, then start again.',
        )
      if (code === undefined) throw error
      return refuse(
        'cannot-open',
        name,
        `The database ${name} cannot be opened (${reason}, code ${code}).`,
        'Check the server and the address, or name another database.',
      )
  }
}

const reasonOf = (error: unknown): string => {
  const one: unknown = error instanceof AggregateError ? error.errors[0] : error
  return one instanceof Error ? one.message : 'no reason given'
}
