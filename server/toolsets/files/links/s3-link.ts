// Links that S3 signs itself: contents do not go through this server, and such a link works without its web door. Nobody can
// take one back or count it, so the cards say so before it is made (ADR 65).
import type { FilesParts } from '../parts.ts'
import type { StoredLink } from '../queries.ts'

/** Who serves a link. */
export type LinkServer = 'server' | 's3'

/** S3 signs for seven days at most. The signature begins a little earlier, because clocks differ. */
const longestMs = 7 * 86_400_000
const earlierMs = 300_000

/** How far ahead such a link may end. */
export const longestS3LinkMs = longestMs - earlierMs

/** In place of the hash of a token: there is none. No hash looks like this, so the web door never finds one. */
export const s3Mark = (linkId: string): string => `s3:${linkId}`

/** By whom a link is served. */
export const servedBy = ({ token_hash }: Pick<StoredLink, 'token_hash'>): LinkServer =>
  token_hash.startsWith('s3:') ? 's3' : 'server'

/** The address of such a link: always the same one, as long as the credentials are. */
export async function s3Address({ db, storage }: Pick<FilesParts, 'db' | 'storage'>, linkId: string): Promise<string> {
  const link = await db
    .selectFrom('files_links as link')
    .innerJoin('files_files as file', 'file.id', 'link.file_id')
    .innerJoin('files_versions as content', (join) =>
      join.onRef('content.file_id', '=', 'link.file_id').onRef('content.number', '=', 'link.number'),
    )
    .where('link.id', '=', linkId)
    .select(['file.name', 'content.type', 'storage_key', 'link.created_at', 'expires_at'])
    .executeTakeFirst()
  // It has ended, and its file was removed for good.
  if (link === undefined || storage.sign === undefined) return ''
  return storage.sign(link.storage_key, {
    name: link.name,
    type: link.type,
    from: Date.parse(link.created_at) - earlierMs,
    until: Date.parse(link.expires_at),
  })
}
