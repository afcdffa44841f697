// `countersign activity list`, `show`, `export` and `watch`: the commands that only read the log.
import { fstatSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { escapeInvisible } from '../../cards/invisible-characters.ts'
import { exportCalls, type ExportFormat } from '../../http/activity/activity-export.ts'
import { lineJson, recordJson, type ActivityLine } from '../../http/activity/activity-wire.ts'
import type { OutputOptions } from '../config-options.ts'
import type { DatabaseOptions, FilterOptions } from './activity.ts'
import { countOf, notACount, withRecords, withFilter, type Activity, type Filter } from './activity-open.ts'
import { approvalText, storyText, tableHead, tableRow } from './activity-text.ts'
import { interruption } from '../terminal/interruption.ts'
import { showProgress } from '../terminal/progress.ts'
import { columns, exit, inWidths, print, printedAs, say, trouble, write, yamlOf } from '../terminal/output.ts'
import { surroundings } from '../../model/surroundings.ts'

interface View extends OutputOptions {
  readonly icons: boolean
}

/** `NO_COLOR` (no-color.org) asks for no decoration, whatever its value, unless it is empty. */
const iconsOf = (view: Pick<View, 'icons'>): boolean => view.icons && (surroundings().env['NO_COLOR'] ?? '') === ''

/** `activity list` */
export async function list(
  options: FilterOptions & DatabaseOptions & View & { readonly limit: string },
): Promise<number> {
  const limit = countOf(options.limit)
  if (limit === undefined) return trouble(notACount('limit', options.limit), exit.refused)
  return withFilter(options, async (activity, filter) => {
    const calls = await newest(activity, filter, limit)
    if (!(await printedAs(options.output, calls)))
      print(columns([tableHead, ...calls.map((call) => tableRow(call, iconsOf(options)))]))
    return exit.ok
  })
}

/** Several pages where a rare combination of filters makes them short. */
async function newest(activity: Activity, filter: Filter, limit: number): Promise<readonly ActivityLine[]> {
  const calls: ActivityLine[] = []
  let after: Awaited<ReturnType<Activity['page']>>['next']
  do {
    const page = await activity.page({
      filter,
      limit: Math.min(limit - calls.length, 500),
      ...(after === undefined ? {} : { after }),
    })
    calls.push(...page.calls.map(lineJson))
    after = page.next
  } while (after !== undefined && calls.length < limit)
  return calls
}

/** `activity show` */
export async function show(id: string, options: DatabaseOptions & View): Promise<number> {
  return withRecords(options, async ({ activity, approvals }) => {
    const story = (await activity.story(id)).map(recordJson)
    if (story.length === 0)
      return trouble({
        message: `There is no activity of ${JSON.stringify(id)}.`,
        next: 'Use the id of a row, a plan or an approval; retention may have removed it.',
      })
    if (await printedAs(options.output, story)) return exit.ok
    print(storyText(story, id, iconsOf(options)))
    for (const approval of new Set(story.flatMap((call) => call.approval_id ?? []))) {
      const found = await approvals.find(approval)
      if (found !== undefined) print(approvalText(found))
    }
    return exit.ok
  })
}

/** Not where whoever reads the export may draw on the same terminal (`| less`). */
const mayShowProgress = (): boolean =>
  surroundings().stderr.isTTY !== true ||
  (surroundings().stdout === process.stdout && fstatSync(process.stdout.fd).isFile())

/** `activity export` */
export async function exportActivity(
  options: FilterOptions & DatabaseOptions & { readonly format: ExportFormat },
): Promise<number> {
  return withFilter(options, async (activity, filter) => {
    const progress = mayShowProgress() ? showProgress() : undefined
    let written = 0
    try {
      for await (const piece of exportCalls(activity, filter, options.format)) {
        await write(piece)
        written += Buffer.byteLength(piece)
        progress?.tell({ progress: Math.round(written / 1024), message: 'KiB written' })
      }
    } finally {
      progress?.end()
    }
    return 0
  })
}

const POLL_MS = 300

/** `activity watch`: until it is interrupted. */
export async function watch(options: FilterOptions & DatabaseOptions & View): Promise<number> {
  return withFilter(options, async (activity, filter) => {
    const { signal, off } = interruption('SIGINT', 'SIGTERM')
    try {
      let change = await activity.newestChange()
      say.line('Watching; press Ctrl+C to stop.')
      while (!signal.aborted) {
        const news = await activity.changesSince({ change, filter, limit: 200 })
        for (const call of news.calls) await write(await watchLine(lineJson(call), options))
        if (news.change === change) await sleep(POLL_MS, undefined, { signal }).catch(() => undefined)
        change = news.change
      }
    } finally {
      off()
    }
    return 0
  })
}

async function watchLine(call: ActivityLine, options: View): Promise<string> {
  if (options.output === 'json') return `${escapeInvisible(JSON.stringify(call))}\n`
  if (options.output === 'yaml') return `---\n${await yamlOf(call)}`
  return `${inWidths(tableRow(call, iconsOf(options)), [19, 8, 24, 22, 17, 9])}\n`
}
