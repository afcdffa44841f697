// `countersign activity verify`, `anchor` and `erase`.
import { showInvisible } from '../../cards/invisible-characters.ts'
import { appendAnchors, doubtOf, readAnchors, readAnchorsSoFar } from '../../compose/records/activity.ts'
import type { DatabaseOptions } from './activity.ts'
import { anchorFileOf, withActivity, withRecords, type Activity } from './activity-open.ts'
import { exit, print, trouble } from '../terminal/output.ts'
import { showProgress } from '../terminal/progress.ts'

/** `activity verify`: 1 where something is not as it was written, else 0, also where no anchor says that the end is there. */
export async function verify(options: DatabaseOptions & { readonly anchor?: string }): Promise<number> {
  const file = options.anchor ?? anchorFileOf(options)
  const anchors = options.anchor === undefined ? await readAnchorsSoFar(file) : await readAnchors(options.anchor)
  if (!anchors.ok) return trouble(anchors.failure)
  return withRecords(options, async ({ activity, switches }) => {
    const progress = showProgress()
    const reports = await activity
      .verify(anchors.value, (walked, entries, tenant) =>
        progress.tell({ progress: walked, total: entries, message: `entries of tenant ${tenant}` }),
      )
      .finally(() => progress.end())
    if (reports.length === 0) print('There is no activity yet.')
    for (const report of reports) print(reportText(report))
    if (reports.some(({ anchored, problem }) => problem === undefined && anchored === undefined))
      print(`Not anchored: nothing outside the database says whether a chain goes on. ${anchorAdvice(file)}`)
    const doubt = await doubtOf({ activity, switches }, file, anchors)
    if (doubt !== undefined) print(`${showInvisible(doubt.message)} ${doubt.next}`)
    return reports.some((report) => report.problem !== undefined) ? 1 : 0
  })
}

const anchorAdvice = (file: string | undefined): string =>
  file === undefined
    ? 'Name a file of anchors with --anchor.'
    : `A running server anchors in ${showInvisible(file)} at its start and every hour.`

type Report = Awaited<ReturnType<Activity['verify']>>[number]

function reportText({ tenant, entries, cut, anchorsMatched, anchored, problem }: Report): string {
  const since = cut === 0 ? '' : `, of which retention removed the first ${cut}`
  const name = showInvisible(tenant)
  if (problem !== undefined) return `BROKEN       tenant ${name}: ${showInvisible(problem.message)}`
  if (anchored === undefined)
    return `not anchored tenant ${name}: ${entries} entries${since}, which follow from each other`
  const seen = `${anchorsMatched} anchored heads found in it, the newest at entry ${anchored}`
  return `ok           tenant ${name}: whole, ${entries} entries${since}; ${seen}`
}

/** `activity anchor` */
export async function anchorTo(file: string, options: DatabaseOptions): Promise<number> {
  return withRecords(options, async ({ activity, switches }) => {
    // Heads of a database that has lost some would contradict the honest anchors.
    const doubt = await doubtOf({ activity, switches }, file)
    if (doubt !== undefined) return trouble({ message: `Nothing was anchored. ${doubt.message}`, next: doubt.next })
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
    for (const { tenant, seq, link } of heads) print(`tenant ${showInvisible(tenant)}: entry ${seq}, ${link}`)
    return 0
  })
}

/** `activity erase` */
export async function erase(
  options: DatabaseOptions & { readonly subject: string; readonly tenant: string; readonly yes?: true },
): Promise<number> {
  const { subject, tenant } = options
  if (options.yes !== true)
    return trouble(
      {
        message: `This would remove every text of ${JSON.stringify(subject)} in tenant ${JSON.stringify(tenant)} for good.`,
        next: 'Say --yes to do it.',
      },
      exit.refused,
    )
  return withActivity(options, async (activity) => {
    const { calls, running, pseudonym } = await activity.erase({ tenant, subject })
    print(`Calls whose texts were erased: ${calls}. Their subject is now ${pseudonym}.`)
    if (running === 0) return 0
    return trouble({
      message: `Calls that have not ended yet and were left alone: ${running}.`,
      next: 'Run it again when they have.',
    })
  })
}
