// What the tools for files take and give.
import { z } from 'zod'
import type { StoredFile, StoredLink } from './queries.ts'
import { goneAt } from './queries.ts'
import { servedBy } from './links/s3-link.ts'
import { falseTypeOf } from './contents/content-type.ts'
import type { FilesTables } from './tables.ts'

export const fileId = z.string().min(1).max(40).describe('Id of a file, like "fl_…"; see files_list')
export const linkId = z.string().min(1).max(40).describe('Id of a download link, like "dl_…"')
export const page = {
  limit: z.int().min(1).max(100).default(20),
  cursor: z.string().max(200).optional().describe('`nextCursor` of the answer before, for what comes after it'),
}

export const fileOut = z.object({
  fileId: z.string(),
  name: z.string(),
  /** By the content. */
  type: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  version: z.int(),
  createdAt: z.string(),
  changedAt: z.string(),
  changedBy: z.string(),
  /** Where the name says something else than the content. */
  warning: z.string().optional(),
  /** Of a deleted file: until when files_restore brings it back. */
  restorableUntil: z.string().optional(),
})

export const fileView = (file: StoredFile): z.infer<typeof fileOut> => {
  const warning = falseTypeOf(file.name, file.type)
  return {
    fileId: file.id,
    name: file.name,
    type: file.type,
    bytes: file.bytes,
    sha256: file.sha256,
    version: file.current,
    createdAt: file.created_at,
    changedAt: file.changed_at,
    changedBy: file.changed_by,
    ...(warning === undefined ? {} : { warning }),
    ...(file.deleted_at === null ? {} : { restorableUntil: goneAt(file.deleted_at) }),
  }
}

export const versionOut = z.object({
  version: z.int(),
  type: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  createdAt: z.string(),
  createdBy: z.string(),
  current: z.boolean(),
})

export const versionView = (version: FilesTables['files_versions'], current: number): z.infer<typeof versionOut> => ({
  version: version.number,
  type: version.type,
  bytes: version.bytes,
  sha256: version.sha256,
  createdAt: version.created_at,
  createdBy: version.created_by,
  current: version.number === current,
})

export const linkOut = z.object({
  linkId: z.string(),
  fileId: z.string(),
  fileName: z.string(),
  version: z.int(),
  expiresAt: z.string(),
  createdAt: z.string(),
  createdBy: z.string(),
  servedBy: z.enum(['server', 's3']),
  /** `null` where S3 serves it: they are neither counted nor on record. */
  downloads: z.int().nullable(),
  lastDownloadAt: z.string().nullable(),
  state: z.enum(['works', 'expired', 'revoked', 'file_deleted']),
})

export const linkView = (
  link: StoredLink & { readonly name: string; readonly deleted_at: string | null },
  now: number,
): z.infer<typeof linkOut> => ({
  linkId: link.id,
  fileId: link.file_id,
  fileName: link.name,
  version: link.number,
  expiresAt: link.expires_at,
  createdAt: link.created_at,
  createdBy: link.created_by,
  servedBy: servedBy(link),
  downloads: servedBy(link) === 's3' ? null : link.downloads,
  lastDownloadAt: link.last_download_at,
  state:
    link.revoked_at !== null
      ? 'revoked'
      : Date.parse(link.expires_at) <= now
        ? 'expired'
        : link.deleted_at === null
          ? 'works'
          : 'file_deleted',
})
