// The keeping half of `countersign activity`: proving, anchoring, forgetting.
import { showUnseen } from '../cards/unseen.ts'
import { appendAnchors, readAnchors } from '../compose-activity.ts'
import type { DatabaseOptions } from './activity.ts'
import { countOf, misunderstood, trouble, withActivity } from './activity-open.ts'
import { print } from './activity-print.ts'

/** `activity verify`: 0 where everything is as it was written, 1 where it is not. */
export async function verify(options: DatabaseOptions & { readonly anchor?: string }): Promise<number> {
  const anchors = options.anchor === undefined ? undefined : await readAnchors(options.anchor)
  if (anchors?.ok === false) return trouble(anchors.failure)
  return withActivity(options, async (activity) => {
    const reports = await activity.verify(anchors?.value)
    if (reports.length === 0) await print('There is no activity yet.\n')
    for (const { tenant, entries, cut, anchorsMatched, problem } of reports) {
      const since = cut === 0 ? '' : `, of which retention removed the first ${cut}`
      const seen = options.anchor === undefined ? '' : `; ${anchorsMatched} anchored heads found in it`
      const found = problem === undefined ? `whole, ${entries} entries${since}${seen}` : problem.message
      await print(
        `${problem === undefined ? 'ok     ' : 'BROKEN '} tenant ${showUnseen(tenant)}: ${showUnseen(found)}\n`,
      )
    }
    return reports.some((report) => report.problem !== undefined) ? 1 : 0
  })
}

/** `activity anchor` */
export async function anchorTo(file: string, options: DatabaseOptions): Promise<number> {
  return withActivity(options, async (activity) => {
    const heads = await activity.heads()
    try {
      await appendAnchors(file, heads)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      return trouble({
        message: `The anchor could not be written: ${reason}.`,
        next: 'Name a file that can be appended to.',
      })
    }
    for (const { tenant, seq, link } of heads) await print(`tenant ${showUnseen(tenant)}: entry ${seq}, ${link}\n`)
    return 0
  })
}

/** `activity erase` */
export async function erase(
  options: DatabaseOptions & { readonly subject: string; readonly tenant: string; readonly yes?: true },
): Promise<number> {
  const { subject, tenant } = options
  if (options.yes !== true)
    return misunderstood({
      message: `This would remove every text of ${JSON.stringify(subject)} in tenant ${JSON.stringify(tenant)} for good.`,
      next: 'Say --yes to do it.',
    })
  return withActivity(options, async (activity) => {
    const { calls, running, pseudonym } = await activity.erase({ tenant, subject })
    await print(`Calls whose texts were erased: ${calls}. Their subject is now ${pseudonym}.\n`)
    if (running === 0) return 0
    return trouble({
      message: `Calls that have not ended yet and were left alone: ${running}.`,
      next: 'Run it again when they have.',
    })
  })
}

/** `activity retain` */
export async function retain(
  options: DatabaseOptions & { readonly days?: string; readonly rows?: string; readonly bytes?: string },
): Promise<number> {
  const limits: { days?: number; rows?: number; bytes?: number } = {}
  for (const name of ['days', 'rows', 'bytes'] as const) {
    const text = options[name]
    if (text === undefined) continue
    const count = countOf(text)
    if (count === undefined)
      return misunderstood({ message: `--${name} cannot be ${JSON.stringify(text)}.`, next: 'Use a number from 1 up.' })
    limits[name] = count
  }
  if (Object.keys(limits).length === 0)
    return misunderstood({ message: 'Nothing says what to keep.', next: 'Use --days, --rows or --bytes.' })
  return withActivity(options, async (activity) => {
    let removed = 0
    for (let step = -1; step !== 0; removed += step) step = await activity.retain(limits)
    await print(`Calls removed: ${removed}.\n`)
    return 0
  })
}
