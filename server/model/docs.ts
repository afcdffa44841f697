// The pages of documentation that a server hands out, for the doors that do: MCP and the tool `get_cheatsheet`.
import type { Result } from '../errors/result.ts'

/** What the address of a page begins with; `#` and a section may follow its name. */
export const docsUri = 'countersign://docs/'

/** Whether this is an address of documentation, of a page that is there or not. */
export const isDocsAddress = (address: string): boolean => address.startsWith(docsUri)

export interface Docs {
  /** Names of the pages. */
  readonly pages: readonly string[]
  /** The Markdown at this address: a page, or one section of it. Otherwise a sentence that says what there is instead. */
  read(address: string): Promise<Result<string, string>>
}
