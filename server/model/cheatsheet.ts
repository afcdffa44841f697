// A cheatsheet, for the doors that hand it out: MCP, REST and the tool `get_cheatsheet`.

export interface Cheatsheet {
  readonly name: string
  readonly text: string
  /** A strong validator over the text (RFC 9110, section 8.8.3), in its quotes. */
  readonly etag: string
}

/** Seconds for which a client may keep a cheatsheet. */
export const cheatsheetTtlSeconds = 3600
