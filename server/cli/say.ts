// stdout may belong to a protocol, so a command says everything on stderr, except what it was asked to print.

export const say = {
  line: (text = ''): void => void process.stderr.write(`${text}\n`),
  /** One line: what happened, and what to do next. */
  error: (message: string, next = ''): void =>
    void process.stderr.write(`countersign: ${message}${next === '' ? '' : ` ${next}`}\n`),
}
