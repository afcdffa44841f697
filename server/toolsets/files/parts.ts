// What the parts of this toolset share.
import type { Recording, ToolsetParts } from '../toolset.ts'
import type { LinkServer } from './links/s3-link.ts'
import type { Storage } from './contents/storage.ts'
import type { FilesDatabase, FilesTables } from './tables.ts'

export interface FilesParts extends Pick<ToolsetParts, 'now' | 'report' | 'publicUrl'> {
  readonly db: FilesDatabase
  readonly recording: Recording<FilesTables>
  readonly storage: Storage
  /** Makes tokens of links. */
  readonly linkKey: Uint8Array
  readonly maxBytes: number
  /** The most that the files of one tenant may take. */
  readonly tenantBytes: number | undefined
  readonly maxLinkDays: number
  /** Who serves the links that are made from now on. */
  readonly links: LinkServer
  readonly downloadsPerMinute: number
}
