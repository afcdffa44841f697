// Signing in with a password takes the same steps at the web door and at a terminal: is there a try left, is the password
// right, is a code needed and right. Whoever fails learns that it failed, not why: an unknown name, a wrong password and
// a disabled account take the same time and get the same words.
import { unlessMissing } from '../../errors/optional-package.ts'
import { recordAct } from '../../operators/operator-record.ts'
import { nameKey } from '../../store/store.ts'
import type { Account, Store } from '../../store/store.ts'

export { makePassword, weakness } from '../../store/store.ts'

interface SignInAttempt {
  readonly name: string
  readonly password: string
  readonly code?: string | undefined
  /** Where it comes from: an IP address, or `terminal`. */
  readonly address: string
  /** The account whose browser this is known to be. */
  readonly device?: string | undefined
  readonly via: 'session' | 'terminal'
}

export type SignIn =
  | { readonly kind: 'in'; readonly account: Account }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'code-required' }
  | { readonly kind: 'code-wrong'; readonly used: boolean; readonly triesLeft: number }
  /** What reads codes is not installed. */
  | { readonly kind: 'code-unavailable'; readonly message: string; readonly next: string }
  /** Epoch milliseconds. */
  | { readonly kind: 'paused'; readonly until: number }

type SignInStore = Pick<Store, 'operators' | 'activityLog'>

/** Tries to sign in; what comes of it is on record. */
export async function signIn(store: SignInStore, attempt: SignInAttempt): Promise<SignIn> {
  const { accounts, guesses } = store.operators
  const named = await accounts.find(attempt.name)
  // Another person's browser is a stranger's.
  const device = named !== undefined && named.id === attempt.device ? attempt.device : undefined
  const guesser = { name: nameKey(attempt.name), address: attempt.address, device }
  const verdict = await guesses.begin(guesser)
  if (verdict.kind === 'paused') {
    if (verdict.begins) await note(store, attempt, named, false, 'too many wrong tries: none is looked at for a while')
    return { kind: 'paused', until: verdict.until }
  }
  const account = await accounts.check(attempt.name, attempt.password)
  if (account === undefined) {
    await note(store, attempt, named, false, 'wrong name or password')
    return { kind: 'wrong' }
  }
  await guesses.right(guesser)
  const second = await secondStep(store, account, attempt.code)
  if (second !== undefined) {
    const why = second.kind === 'code-unavailable' ? second.message : 'wrong code'
    if (second.kind !== 'code-required') await note(store, attempt, account, false, why)
    return second
  }
  await accounts.seen(account.id)
  await note(store, attempt, account, true)
  return { kind: 'in', account }
}

async function secondStep({ operators }: SignInStore, account: Account, code: string | undefined) {
  const factor = operators.accounts.factor(account.id)
  if (!(await factor.enrolled())) return undefined
  if (code === undefined) return { kind: 'code-required' } as const
  const read = await unlessMissing(() => factor.check(code))
  if (!read.ok) return { kind: 'code-unavailable', ...read.failure } as const
  const check = read.value
  if (check.kind === 'right' || check.kind === 'not-enrolled') return undefined
  return check.kind === 'paused' ? check : ({ ...check, kind: 'code-wrong' } as const)
}

function note(
  { activityLog }: SignInStore,
  { name, via, address }: SignInAttempt,
  account: Account | undefined,
  done: boolean,
  why?: string,
): Promise<void> {
  return recordAct(activityLog, {
    who: account?.name ?? name,
    tenant: account?.tenant,
    via,
    act: 'operator.signed_in',
    done,
    details: { address, ...(why === undefined ? {} : { why }) },
  })
}
