// A decision must come from a person at a keyboard: a pipe or a script that answers "yes" is exactly what an approval is
// there to prevent. So questions are only ever asked of a terminal.
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { showInvisibleInLines } from '../../cards/invisible-characters.ts'
import { trouble } from './output.ts'
import { surroundings } from '../../model/surroundings.ts'

export interface Terminal {
  /** What the person typed; empty where they left. */
  ask(question: string): Promise<string>
  /** The same, without showing what is typed and without trimming it. */
  askHidden(question: string): Promise<string>
}

/** Opens the terminal for as long as the work takes; hands over `undefined` where there is none or none is wanted. */
export async function withTerminal<T>(
  wanted: boolean,
  work: (terminal: Terminal | undefined) => Promise<T>,
): Promise<T> {
  const terminal = wanted ? openTerminal() : undefined
  try {
    return await work(terminal)
  } finally {
    terminal?.close()
  }
}

/** The same for what only a person may do. Answers the exit code; `next` says what to do where there is no terminal. */
export const atTerminal = (
  work: (terminal: Terminal) => Promise<number>,
  next = 'Run it in a terminal.',
): Promise<number> =>
  withTerminal(true, async (terminal) =>
    terminal === undefined ? trouble({ message: needsTerminal, next }) : await work(terminal),
  )

/** Why a command that needs a person does nothing in a pipe. */
export const needsTerminal = 'This needs an interactive terminal: a person reads and types.'

/** Whether somebody agrees: `y` or `yes`. */
export const saysYes = (text = ''): boolean => /^y(?:es)?$/i.test(text)

/** The terminal, if there is one on both sides. */
function openTerminal(): (Terminal & { close(): void }) | undefined {
  const { stdin, stderr, ends } = surroundings()
  if (stdin.isTTY !== true || stderr.isTTY !== true) return undefined
  let hidden = false
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      if (hidden) done()
      else stderr.write(chunk, () => done())
    },
  })
  const lines = createInterface({ input: stdin, output, terminal: true })
  const gone = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  // An interface with an output of its own handles Ctrl+C itself; the process must still end of it, unless it is others' too.
  lines.on('SIGINT', () => {
    lines.close()
    if (ends === undefined) process.kill(process.pid, 'SIGINT')
  })
  const ask = (question: string): Promise<string> =>
    Promise.race([lines.question(showInvisibleInLines(question)).catch(() => ''), gone])
  return {
    ask: async (question) => (await ask(question)).trim(),
    askHidden: async (question) => {
      stderr.write(showInvisibleInLines(question))
      hidden = true
      try {
        return await ask('')
      } finally {
        hidden = false
        stderr.write('\n')
      }
    },
    close: () => lines.close(),
  }
}
