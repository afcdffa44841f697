// What toolsets know of each other's files: a mail takes its attachments from here.
import type { Result } from '../errors/result.ts'
import type { Principal } from '../model/principal.ts'

/** A file as its own toolset describes it. */
export interface SourceFile {
  /** Its id. */
  readonly id: string
  /** Its name. */
  readonly name: string
  /** Media type by the content, never by the name: `application/pdf`. */
  readonly type: string
  /** Its size. */
  readonly bytes: number
  /** Rises with every change; a preview that shows the file relies on it. */
  readonly version: number
  /** SHA-256 of the content, in hexadecimal. */
  readonly sha256: string
}

/** Files that a principal may read. */
export interface FileSource {
  /** `undefined` where this principal has no such file: whether somebody else has is not told. */
  find(principal: Principal, id: string): Promise<SourceFile | undefined>
  /** The content of this version; a failure where it is no longer that. */
  read(principal: Principal, file: SourceFile): Promise<Result<Uint8Array, 'gone' | 'changed'>>
}
