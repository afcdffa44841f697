// stdout may belong to a protocol, so a command says everything on stderr, except what it was asked to print.

export const say = {
  line: (text = ''): void => void process.stderr.write(`${text}\n`),
  /** One line: what happened, and what to do next. */
  error: (message: string, next = ''): void =>
    // What a database or a system call says of itself may have several lines; a host's log shows one.
    void process.stderr.write(`countersign: ${`${message} ${next}`.trim().replace(/\s*\n\s*/g, ' ')}\n`),
}
