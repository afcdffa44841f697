// Whoever decides at a terminal is the holder of the admin token, under the name that they say, or, where an account is
// named, that account: with its password, its second factor, its roles and its one vote.
import { adminTokenPerson, wrongCodeWords } from '../../operators/approval-factor.ts'
import { deciderOf, operatorOf } from '../../http/operators/approver.ts'
import type { Decider } from '../../operators/decide-approval.ts'
import { signIn } from '../../http/auth/sign-in.ts'
import { ok, type Result } from '../../errors/result.ts'
import { atTerminal, needsTerminal, withTerminal, type Terminal } from '../terminal/ask.ts'
import { asOperator, operatorName, type OperatorOptions, type Records } from './operator.ts'
import { failed, trouble, type Trouble } from '../terminal/output.ts'

export interface ActOptions {
  readonly by?: string
  readonly account?: string
}

/** What to do about a decision where there is no terminal. */
export const decideElsewhere =
  'Run it in a terminal. Programs decide through POST /api/v1/approvals/{id}/approve, with the admin token.'

/** The holder of the admin token, under the name that they say. */
export const adminHere = (by?: string): Decider => ({
  name: operatorName(by),
  person: adminTokenPerson,
  via: 'terminal',
  tenant: undefined,
  roles: [{ kind: 'admin' }],
  subjects: [],
})

export interface AtRecords<T extends Terminal | undefined> {
  readonly terminal: T
  readonly records: Records
  readonly by: Decider
}

/** Opens the records for somebody who decides, with a terminal where they name an account. Answers the exit code. */
export const asDecider = (
  options: OperatorOptions & ActOptions,
  work: (at: AtRecords<Terminal | undefined>) => Promise<number>,
): Promise<number> => withTerminal(options.account !== undefined, (terminal) => deciding(options, terminal, work))

/** The same for what only a person at a terminal may do; `next` says what to do where there is none. */
export const asPersonDeciding = (
  options: OperatorOptions & ActOptions,
  next: string,
  work: (at: AtRecords<Terminal>) => Promise<number>,
): Promise<number> => atTerminal((terminal) => deciding(options, terminal, work), next)

const deciding = <T extends Terminal | undefined>(
  options: OperatorOptions & ActOptions,
  terminal: T,
  work: (at: AtRecords<T>) => Promise<number>,
): Promise<number> =>
  asOperator(options, async (records) => {
    const acting = await actAs(records, options, terminal)
    return acting.ok ? await work({ terminal, records, by: acting.value }) : trouble(acting.failure)
  })

/** Who decides here. */
async function actAs(
  records: Records,
  { by, account }: ActOptions,
  terminal: Terminal | undefined,
): Promise<Result<Decider, Trouble>> {
  if (account === undefined) return ok(adminHere(by))
  if (by !== undefined) return failed('--by and --account name two people.', 'Give one of them.')
  if (terminal === undefined) return failed(needsTerminal, decideElsewhere)
  const password = await terminal.askHidden(`Password of ${account}: `)
  let code: string | undefined
  for (;;) {
    const result = await signIn(records, { name: account, password, code, address: 'terminal', via: 'terminal' })
    switch (result.kind) {
      case 'in':
        return ok(deciderOf(operatorOf(result.account, 'session'), 'terminal'))
      case 'code-required':
        code = await terminal.ask('Code of your authenticator: ')
        if (code === '') return failed('No code was given.', 'Nothing was decided.')
        break
      case 'code-wrong':
        return failed(...wrongCodeWords(result))
      case 'code-unavailable':
        return failed(result.message, result.next)
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
