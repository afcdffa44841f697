// Every activity command starts alike: settings, a database that is really there, filters that make sense. Whoever
// mistypes a path must not be shown an empty log.
import { existsSync } from 'node:fs'
import { composeOptionsOf } from '../../compose/settings/config.ts'
import { anchorPlace } from '../../compose/records/activity.ts'
import { openRecords } from '../../compose/records/open-records.ts'
import { parseFilter } from '../../http/activity/activity-filter.ts'
import type { DatabaseOptions, FilterOptions } from './activity.ts'
import { settingsOf } from '../config-options.ts'
import { exit, trouble, type Trouble } from '../terminal/output.ts'

type Opened = Awaited<ReturnType<typeof openRecords>>
export type Records = Extract<Opened, { readonly ok: true }>['value']
type Server = Parameters<typeof composeOptionsOf>[0]
export type Activity = Records['activity']
export type Approval = NonNullable<Awaited<ReturnType<Records['approvals']['find']>>>
export type Filter = Extract<ReturnType<typeof parseFilter>, { readonly ok: true }>['value']

/** Opens the records, does the work with them and the settings, closes them. Answers the exit code. */
export async function withRecords(
  options: DatabaseOptions,
  work: (records: Records, server: Server) => Promise<number>,
): Promise<number> {
  const settings = settingsOf(options)
  if (!settings.ok) return trouble(settings.failure)
  const { server } = settings.value
  const { file, secret } = composeOptionsOf(server)
  if (!isAddress(file) && !existsSync(file))
    return trouble({
      message: `There is no database at ${file}.`,
      next: 'Name the one that the server uses: --db <file>, or COUNTERSIGN_DB.',
    })
  const opened = await openRecords({ file, secret })
  if (!opened.ok) return trouble(opened.failure)
  try {
    return await work(opened.value, server)
  } finally {
    await opened.value.close()
  }
}

/** Where the database that is named is anchored; `undefined` where it is nowhere, or the settings cannot be read. */
export function anchorFileOf(options: DatabaseOptions): string | undefined {
  const settings = settingsOf(options)
  return settings.ok ? anchorFileBy(settings.value.server) : undefined
}

/** Where the database that the settings name is anchored; `undefined` where it is nowhere. */
export function anchorFileBy(server: Server): string | undefined {
  const { file, activity } = composeOptionsOf(server)
  return anchorPlace(activity?.anchor, file)
}

/** A database on a server; whether it is there is found out by opening it. */
const isAddress = (file: string): boolean => /^[a-z]+:\/\//i.test(file)

/** The same, for those who need nothing but the log. */
export const withActivity = (
  options: DatabaseOptions,
  work: (activity: Activity) => Promise<number>,
): Promise<number> => withRecords(options, ({ activity }) => work(activity))

/** The filters of a command line, or the one that cannot be understood: exit code 2. */
export async function withFilter(
  options: FilterOptions & DatabaseOptions,
  work: (activity: Activity, filter: Filter) => Promise<number>,
): Promise<number> {
  const { intentType: intent_type, ...texts } = options
  const filter = parseFilter({ intent_type, ...texts }, Date.now(), (name) => `--${name.replace('_', '-')}`)
  if (!filter.ok) return trouble(filter.failure, exit.refused)
  return withActivity(options, (activity) => work(activity, filter.value))
}

/** Why `countOf` reads nothing from this option. */
export const notACount = (name: string, text: string): Trouble => ({
  message: `--${name} cannot be ${JSON.stringify(text)}.`,
  next: 'Use a number from 1 up.',
})

/** A whole number of at least one, or nothing. */
export const countOf = (text: string): number | undefined => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined)
