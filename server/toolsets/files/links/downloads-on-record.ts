// A download is counted on its link and on record in the activity log in one transaction, for the call that made the link
// (ADR 77). What says that it happened is written before the first byte goes out.
import type { LaterEvent } from '../../toolset.ts'
import type { FilesParts } from '../parts.ts'
import { isoAt, sharedOf, type Shared } from '../queries.ts'
import { afterDownload, hourOf, type SumOfHour } from './hour-of-link.ts'

/** Who downloads what, as far as the web door knows it. */
export interface Visit {
  readonly address: string
  /** What their program calls itself. Anybody may write anything there. */
  readonly userAgent: string | null
  /** Bytes, where it is not the whole content. */
  readonly part: { readonly first: number; readonly last: number } | undefined
}

const longestUserAgent = 200

/** What stands there is kept to say which program it was, and may name the address that was asked, or that of another link. */
const withoutTokens = (text: string): string => text.replace(tokens, '[redacted]').slice(0, longestUserAgent)

/** As the token of any link looks: 32 bytes in base64url. */
const tokens = /(?<![\w-])[\w-]{43}(?![\w-])/g

const downloaded = (shared: Shared, more: Readonly<Record<string, unknown>>): LaterEvent => ({
  name: 'file.downloaded',
  principal: { tenant: shared.tenant, subject: shared.created_by },
  run: shared.run ?? undefined,
  outcome: 'applied',
  details: {
    fileId: shared.file_id,
    fileName: shared.name,
    version: shared.number,
    bytes: shared.bytes,
    linkId: shared.link_id,
    ...more,
  },
})

const summedUp = (shared: Shared, { hour, downloads }: SumOfHour): LaterEvent =>
  downloaded(shared, { downloads, hour: `${hour}:00:00.000Z` })

/**
 * Counts a download and puts it on record. One that is resumed, or read part by part, is one: where it begins; when the last
 * was is of each part. Answers whether the link was still there. Where the answer of a commit is lost, a download without a
 * row of its own may be counted twice.
 * @throws what the database throws: then nothing was counted, and nothing may be given.
 */
export const recordDownload = (
  { recording, now }: Pick<FilesParts, 'recording' | 'now'>,
  shared: Shared,
  visit: Visit,
): Promise<boolean> =>
  recording(async (transaction, record) => {
    const at = isoAt(now())
    const begins = (visit.part?.first ?? 0) === 0
    const ofLink = transaction.updateTable('files_links').where('id', '=', shared.link_id)
    const link = await ofLink
      .set((eb) => ({ downloads: eb('downloads', '+', begins ? 1 : 0), last_download_at: at }))
      // Whoever revoked it or deleted its file a moment ago was told that it works no more, and its end was signed.
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', at)
      .where((is) =>
        is.exists(
          is
            .selectFrom('files_files as file')
            .select('file.id')
            .whereRef('file.id', '=', 'files_links.file_id')
            .where('file.deleted_at', 'is', null),
        ),
      )
      .returning(['record_hour', 'record_rows', 'record_more'])
      .executeTakeFirst()
    if (link === undefined) return false
    if (!begins) return true
    const before = { hour: link.record_hour, rows: link.record_rows ?? 0, more: link.record_more ?? 0 }
    const { next, ownRow, sum } = afterDownload(before, hourOf(at))
    await ofLink.set({ record_hour: next.hour, record_rows: next.rows, record_more: next.more }).execute()
    if (sum !== undefined) record(summedUp(shared, sum))
    if (ownRow) {
      const userAgent = visit.userAgent === null ? undefined : withoutTokens(visit.userAgent)
      const range = visit.part === undefined ? undefined : `${visit.part.first}-${visit.part.last}`
      record(downloaded(shared, { address: visit.address, userAgent, range }))
    }
    return true
  })

/** Puts the sums of hours that are over on record, where nothing was downloaded since. Safe for several processes at once. */
export async function sumUpDownloads({
  db,
  recording,
  now,
  report,
}: Pick<FilesParts, 'db' | 'recording' | 'now' | 'report'>): Promise<void> {
  const due = await sharedOf(db)
    .where('record_more', '>', 0)
    .where('record_hour', '<', hourOf(isoAt(now())))
    .select(['record_hour', 'record_more'])
    .execute()
  for (const { record_hour: hour, record_more: downloads, ...shared } of due)
    await recording(async (transaction, record) => {
      const { numUpdatedRows } = await transaction
        .updateTable('files_links')
        .set({ record_more: 0 })
        .where('id', '=', shared.link_id)
        .where('record_hour', '=', hour)
        .where('record_more', '=', downloads)
        .executeTakeFirst()
      if (numUpdatedRows === 1n && hour !== null && downloads !== null) record(summedUp(shared, { hour, downloads }))
    }).catch((error: unknown) => void report(error, 'files: sum of downloads'))
}
