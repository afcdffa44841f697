// Files that people upload and agents may list, hand on by a link, and delete, each by a person's signature.
import type { Toolset } from '../toolset.ts'

/** Where files lie, and how large they may be. */
export interface FilesOptions {
  /**
   * Where contents lie: a folder, or `s3://bucket/prefix` (with `?region=`, `?endpoint=` where they are not those of the
   * environment). A folder beside the database when absent; with a database in memory, one that ends with the server.
   */
  readonly folder?: string | undefined
  /** The largest file that is taken, in megabytes (2^20 bytes); 25 when absent. */
  readonly maxMb?: number
  /** The most that the files of one tenant may take together, with their versions, in megabytes; no limit when absent. */
  readonly tenantMb?: number | undefined
  /** How far ahead a download link may expire, in days; 30 when absent. */
  readonly maxLinkDays?: number
  /**
   * Who serves download links: this server at `/d` (when absent), or S3 by addresses that it signs itself, for at most seven
   * days, which nobody can revoke, count or put on record. Contents must lie in a bucket.
   */
  readonly links?: 'server' | 's3'
  /** Requests of one address to one download link in a minute, and five times as many to all; 60 when absent. */
  readonly downloadsPerMinute?: number
}

/** The tools for files, uploads at `/api/v1/files`, and downloads at `/d`. */
export const files =
  (options: FilesOptions = {}): Toolset =>
  async (parts) =>
    (await import('./open-files.ts')).openFiles(options, parts)
