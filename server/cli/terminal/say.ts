// stdout may belong to a protocol, so a command says everything on stderr, except what it was asked to print. A terminal
// obeys what it prints, and others' words stand in most sentences.
import { showUnseen, showUnseenInLines } from '../../cards/unseen.ts'

export const say = {
  line: (text = ''): void => void process.stderr.write(`${showUnseenInLines(text)}\n`),
  /** One line: what happened, and what to do next. */
  error: (message: string, next = ''): void =>
    // What a database or a system call says of itself may have several lines; a host's log shows one.
    void process.stderr.write(`countersign: ${showUnseen(oneLine(`${message} ${next}`))}\n`),
}

const oneLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')
