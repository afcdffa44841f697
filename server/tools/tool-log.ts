// What tools write into the server's log.

/** Values beside the sentence of a line. */
export type LogFields = Readonly<Record<string, unknown>>

/**
 * The server's log. Each line names the tool and the call's row in the activity log, and the plan where there is one. Secrets are
 * hidden: arguments that the contract marks, and what looks or is named like one.
 */
export interface ToolLog {
  /** What somebody must look at. */
  error(message: string, fields?: LogFields): void
  /** What somebody should look at. */
  warn(message: string, fields?: LogFields): void
  /** What happened, for everyday. */
  info(message: string, fields?: LogFields): void
  /** What only a search for a mistake needs. */
  debug(message: string, fields?: LogFields): void
}
