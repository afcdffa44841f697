// `countersign activity retain`: removes old calls by hand. Where the machine's clock is far ahead of the time that the
// database has seen pass, a person may say that it is right. That one act lets very much go at once, so it is recorded
// with their name, and what it means is printed before anything is removed.
import { aheadText, doubtOf } from '../../compose/records/activity.ts'
import { openAdminToken } from '../../http/auth/admin-token.ts'
import type { DatabaseOptions } from './activity.ts'
import { anchorFileBy, countOf, notACount, withRecords, type Records } from './activity-open.ts'
import { beginHere } from '../operators/operator.ts'
import { exit, print, trouble } from '../terminal/output.ts'

interface RetainOptions extends DatabaseOptions {
  readonly days?: string
  readonly rows?: string
  readonly bytes?: string
  readonly yes?: true
  readonly by?: string
}

type Limits = Parameters<Records['activity']['retain']>[0]

/** `activity retain` */
export async function retain(options: RetainOptions): Promise<number> {
  const limits: { days?: number; rows?: number; bytes?: number } = {}
  for (const name of ['days', 'rows', 'bytes'] as const) {
    const text = options[name]
    if (text === undefined) continue
    const count = countOf(text)
    if (count === undefined) return trouble(notACount(name, text), exit.refused)
    limits[name] = count
  }
  const confirms = options.yes === true
  const limited = Object.keys(limits).length > 0
  if (!limited && !confirms)
    return trouble({ message: 'No limit was given.', next: 'Use --days, --rows or --bytes.' }, exit.refused)
  return withRecords(options, async (records, server) => {
    // What is removed now could not be compared any more.
    const doubt = await doubtOf(records, anchorFileBy(server))
    if (doubt !== undefined) return trouble({ message: `Nothing was removed. ${doubt.message}`, next: doubt.next })
    if (confirms) {
      const token = await openAdminToken(records.file, server.operators.admin_token)
      if (!token.ok) return trouble(token.failure)
      await confirmClock(records, options.by)
    }
    return limited ? remove(records.activity, limits) : 0
  })
}

/** Counts age by the machine's clock from now on, and says and records what that changes; nothing where it agrees. */
async function confirmClock(
  { activity, activityLog, now }: Pick<Records, 'activity' | 'activityLog' | 'now'>,
  by: string | undefined,
): Promise<void> {
  const [{ at, ahead }, clock] = [await activity.retentionTime(), now()]
  if (ahead === undefined) return print('The clock needs no confirmation: age is counted by it already.')
  const [from, to] = [new Date(at).toISOString(), new Date(clock).toISOString()]
  print(`Age was counted as of ${from}. By the clock of this machine it is ${to}, ${daysOf(ahead)} later.`)
  const end = await beginHere({ activityLog }, 'operator.confirmed_clock', { by }, { counted_as_of: from, clock: to })
  await activity.confirmTime()
  await end({ done: true })
  print('Age is counted by the clock of this machine from now on.')
}

const daysOf = (ms: number): string => {
  const days = Math.floor(ms / (24 * 60 * 60 * 1000))
  return days === 1 ? '1 day' : `${days} days`
}

async function remove(activity: Records['activity'], limits: Limits): Promise<number> {
  const time = await activity.retentionTime()
  let removed = 0
  for (let step = -1; step !== 0; removed += step) step = await activity.retain(limits, time.at)
  print(`Calls removed: ${removed}.`)
  const ahead = aheadText(time)
  return ahead === undefined || limits.days === undefined
    ? 0
    : trouble({
        message: ahead,
        next: 'If the clock is wrong, correct it. If it is right (the server was off), run this again with --yes to count age by it.',
      })
}
