// Whoever decides at a terminal is the holder of the admin token, under the name that they say, or, where an account is
// named, that account: with its password, its second factor, its roles and its one vote.
import { adminTokenPerson } from '../../operators/approval-factor.ts'
import { deciderOf, operatorOf } from '../../http/operators/approver.ts'
import type { Decider } from '../../operators/decide-approval.ts'
import { signIn } from '../../http/auth/sign-in.ts'
import { needsTerminal, type Terminal } from '../terminal/ask.ts'
import { operatorName, type Records } from './operator.ts'
import type { Trouble } from '../terminal/output.ts'

export interface ActOptions {
  readonly by?: string
  readonly account?: string
}

type Acting = { readonly ok: true; readonly by: Decider } | { readonly ok: false; readonly failure: Trouble }

/** What to do about a decision where there is no terminal. */
export const decideElsewhere =
  'Run it in a terminal. Programs decide through POST /api/v1/approvals/{id}/approve, with the admin token.'

/** Who decides here. */
export async function actAs(
  records: Records,
  { by, account }: ActOptions,
  terminal: Terminal | undefined,
): Promise<Acting> {
  if (account === undefined)
    return {
      ok: true,
      by: {
        name: operatorName(by),
        person: adminTokenPerson,
        via: 'terminal',
        tenant: undefined,
        roles: [{ kind: 'admin' }],
        subjects: [],
      },
    }
  if (by !== undefined)
    return { ok: false, failure: { message: '--by and --account name two people.', next: 'Give one of them.' } }
  if (terminal === undefined) return { ok: false, failure: { message: needsTerminal, next: decideElsewhere } }
  const password = await terminal.askHidden(`Password of ${account}: `)
  let code: string | undefined
  for (;;) {
    const result = await signIn(records, { name: account, password, code, address: 'terminal', via: 'terminal' })
    switch (result.kind) {
      case 'in':
        return { ok: true, by: deciderOf(operatorOf(result.account, 'session'), 'terminal') }
      case 'code-required':
        code = await terminal.ask('Code of your authenticator: ')
        if (code === '') return failed('No code was given.', 'Nothing was decided.')
        break
      case 'code-wrong':
        return failed(
          result.used ? 'This code has been used already.' : 'This code is wrong.',
          `${result.triesLeft} of 5 tries are left before a pause of 15 minutes.`,
        )
      case 'wrong':
        return failed('The name or the password is wrong.', 'Nothing was decided. Try again.')
      case 'paused':
        return failed(
          'There were too many wrong tries; none is looked at now.',
          `Try again after ${new Date(result.until).toISOString()}.`,
        )
      default:
        return result satisfies never
    }
  }
}

const failed = (message: string, next: string): Acting => ({ ok: false, failure: { message, next } })
