// Opens the toolset: its tables, the place of its contents, and what it serves.
import type { FileSource, SourceFile } from '../file-source.ts'
import { fail } from '../../errors/result.ts'
import type { Principal } from '../../model/principal.ts'
import { megabyte } from '../say.ts'
import { shippedCheatsheet } from '../cheatsheets.ts'
import { ToolsetError, type OpenedToolset, type ToolsetParts } from '../toolset.ts'
import { wholeOf } from './contents/content.ts'
import { fileTypes } from './contents/content-type.ts'
import { createDownloadLink } from './links/create-link.ts'
import { deleteFile, restoreFile } from './deletion/delete.ts'
import { downloadRoute } from './links/download.ts'
import { sumUpDownloads } from './links/downloads-on-record.ts'
import type { FilesOptions } from './files.ts'
import type { FilesParts } from './parts.ts'
import { findFile, findNamed } from './queries.ts'
import { readTools } from './reads.ts'
import { revokeDownloadLink } from './links/revoke-link.ts'
import { openStorage } from './contents/storage.ts'
import { sweep } from './deletion/sweep.ts'
import { migrate, type FilesDatabase } from './tables.ts'
import { keepFile, uploadPath, uploadRoute, type NewFile } from './uploads/upload.ts'
import { restoreVersion } from './versions.ts'

const hourMs = 3_600_000

/** The toolset, and a way for the program that opened it to keep files of its own. */
export interface FilesToolset extends OpenedToolset {
  /** Keeps a file, once: where one of its name is there, nothing is done. */
  keep(principal: Principal, file: NewFile): Promise<void>
}

/**
 * Opens it on the server's database.
 * @throws {PackageMissing} where a package is not installed, {ToolsetError} where contents cannot be kept.
 */
export async function openFiles(options: FilesOptions, given: ToolsetParts): Promise<FilesToolset> {
  // Every table of it is one that it created itself, whatever else the database holds.
  const db = given.db as unknown as FilesDatabase
  const storage = await openStorage(options.folder ?? given.folder('files'))
  // Better known now than when somebody uploads.
  await fileTypes()
  const links = options.links ?? 'server'
  if (links === 's3' && storage.sign === undefined)
    throw new ToolsetError(
      'Download links are to be signed by S3, and files do not lie there.',
      'Set files.folder to s3://bucket, or files.links to "server".',
    )
  await migrate(db)
  const parts: FilesParts = {
    db,
    recording: given.recording,
    storage,
    now: given.now,
    report: given.report,
    publicUrl: given.publicUrl,
    linkKey: given.deriveKey('files: download links'),
    maxBytes: (options.maxMb ?? 25) * megabyte,
    tenantBytes: options.tenantMb === undefined ? undefined : options.tenantMb * megabyte,
    maxLinkDays: options.maxLinkDays ?? 30,
    links,
    downloadsPerMinute: options.downloadsPerMinute ?? 60,
  }
  let sweeping = Promise.resolve()
  const sweepOnce = (): void => {
    // What is still to be said of links comes before they are removed.
    sweeping = sweeping
      .then(() => sumUpDownloads(parts))
      .then(() => sweep(parts))
      .catch((error: unknown) => void given.report(error, 'files: sweep'))
  }
  sweepOnce()
  const timer = setInterval(sweepOnce, hourMs)
  timer.unref()
  return {
    tools: [
      ...readTools(parts),
      deleteFile(parts),
      restoreFile(parts),
      restoreVersion(db),
      createDownloadLink(parts),
      revokeDownloadLink(db),
    ],
    cheatsheets: { files: shippedCheatsheet('files') },
    routes: [uploadRoute(parts), downloadRoute(parts)],
    uploads: uploadPath,
    files: sourceOf(parts),
    keep: async (principal, file) => {
      if ((await findNamed(db, principal.tenant, file.name)) !== undefined) return
      const kept = await keepFile(parts, principal, file)
      if (!kept.ok) throw new ToolsetError(kept.failure.message, kept.failure.next)
    },
    close: async () => {
      clearInterval(timer)
      await sweeping
      await storage.close()
    },
  }
}

/** Files as other toolsets read them. */
const sourceOf = ({ db, storage, report }: FilesParts): FileSource => ({
  find: async ({ tenant }, id) => {
    const file = await findFile(db, tenant, id)
    if (file === undefined) return undefined
    const { name, type, bytes, version, sha256 } = file
    return { id, name, type, bytes, version, sha256 } satisfies SourceFile
  },
  read: async ({ tenant }, { id, sha256 }) => {
    const file = await findFile(db, tenant, id)
    if (file === undefined) return fail('gone')
    if (file.sha256 !== sha256) return fail('changed')
    const content = await wholeOf(storage, file)
    if (!content.ok) report(new Error(`The stored content of ${id} is ${content.failure}.`), 'files: read')
    return content
  },
})
