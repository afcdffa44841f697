// What the tests of operators share: the office with accounts in it, and a browser for each of them.
import { expect } from 'vitest'
import type { CountersignOptions } from '../../../../server/index.ts'
import type { Role } from '../../../../server/model/operators.ts'
import type { Account, Store } from '../../../../server/store/store.ts'
import { openOffice, type Office } from '../operators/serve-operators.ts'
import { openBrowser, type Browser } from './browser.ts'

const everything: readonly Role[] = [{ kind: 'admin' }]

export const password = 'correct horse battery'

interface Person {
  readonly roles?: readonly Role[]
  readonly tenant?: string
  readonly subjects?: readonly string[]
}

export interface Front extends Office {
  readonly operators: Store['operators']
  readonly add: (name: string, person?: Person) => Promise<Account>
  /** A browser with a session of this person; makes the account where there is none. */
  readonly desk: (name: string, person?: Person) => Promise<Browser>
}

/** An office whose operators have names. */
export async function openFront(more: Partial<CountersignOptions> = {}): Promise<Front> {
  const office = await openOffice(more)
  const { operators } = office.records
  const add: Front['add'] = async (name, { roles = everything, tenant, subjects = [] } = {}) => {
    const account = await operators.accounts.add({ name, tenant, roles, subjects, password })
    if (account === undefined) throw new Error(`The name ${name} is taken.`)
    return account
  }
  return {
    ...office,
    operators,
    add,
    desk: async (name, person) => {
      const account = (await operators.accounts.find(name)) ?? (await add(name, person))
      const browser = openBrowser(office.url)
      // Hashing a password takes its time, and most tests are about something else.
      const { value } = await operators.sessions.open(account.id, 'session', 3_600_000)
      browser.cookies.set(`countersign_session_${new URL(office.url).port}`, value)
      expect(await browser.send('GET', '/api/v1/session')).toMatchObject({ status: 200 })
      return browser
    },
  }
}
