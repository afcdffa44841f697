// Some approvals take more than being signed in: a code of the authenticator of the very person who decides.
import { unlessMissing } from '../errors/optional-package.ts'
import { adminTokenPerson } from '../policy/may-approve.ts'
import type { Approval } from '../model/approvals.ts'
import type { Decider, DecisionRefusal, Refused } from './decide-approval.ts'
import type { SecondFactorCheck } from '../model/second-factor.ts'

export { adminTokenPerson } from '../policy/may-approve.ts'

/** Whether agreeing to this one takes a second factor: where the contract asks, and for critical ones once enrolled. */
export const needsSecondFactor = (approval: Pick<Approval, 'stepUp' | 'risk'>, enrolled: boolean): boolean =>
  approval.stepUp || (approval.risk === 'critical' && enrolled)

/** What somebody is told whose code is not accepted: what, and what to do. */
export const wrongCodeWords = (check: {
  readonly used: boolean
  readonly triesLeft: number
}): [message: string, next: string] => [
  check.used ? 'This code has been used already; each one works once.' : 'This code is wrong.',
  `${check.used ? 'Wait for the next one. ' : ''}${check.triesLeft} of 5 tries are left before a pause of 15 minutes.`,
]

/** Why this code does not do, if it does not. Uses it up. */
export async function refuseCode(
  secondFactor: SecondFactorCheck,
  approval: Approval,
  by: Pick<Decider, 'name' | 'person'>,
  code: string | undefined,
): Promise<Refused | undefined> {
  const refused = (kind: DecisionRefusal, message: string, next: string, retryAt?: number): Refused => ({
    kind: 'refused',
    code: kind,
    message,
    next,
    approval,
    ...(retryAt === undefined ? {} : { retryAt }),
  })
  const notEnrolled = (): Refused =>
    refused(
      'second-factor-not-enrolled',
      `${approval.id} asks for a second factor from whoever approves it, and none is enrolled.`,
      `Run \`${by.person === adminTokenPerson ? 'countersign admin totp' : `countersign account totp ${by.name}`}\` once to enrol an authenticator, then approve again.`,
    )
  if (!(await secondFactor.enrolled())) return notEnrolled()
  if (code === undefined)
    return refused(
      'second-factor-needed',
      `${approval.id} asks for a second factor.`,
      'Approve again with the six digits that your authenticator shows now.',
    )
  const read = await unlessMissing(() => secondFactor.check(code))
  if (!read.ok) return refused('second-factor-unavailable', read.failure.message, read.failure.next)
  const check = read.value
  switch (check.kind) {
    case 'right':
      return undefined
    case 'not-enrolled':
      return notEnrolled()
    case 'wrong':
      return refused('second-factor-wrong', ...wrongCodeWords(check))
    case 'paused':
      return refused(
        'second-factor-paused',
        'There were five wrong codes; no code is accepted now, not even a right one.',
        `Try again after ${new Date(check.until).toISOString()}.`,
        check.until,
      )
    default:
      return check satisfies never
  }
}
