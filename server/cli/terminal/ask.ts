// A decision must come from a person at a keyboard: a pipe or a script that answers "yes" is exactly what an approval is
// there to prevent. So questions are only ever asked of a terminal.
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { showUnseenInLines } from '../../cards/unseen.ts'

export interface Terminal {
  /** What the person typed; empty where they left. */
  ask(question: string): Promise<string>
  close(): void
}

export interface SecretTerminal extends Terminal {
  /** The same, without showing what is typed and without trimming it. */
  askHidden(question: string): Promise<string>
}

/** The terminal, if there is one on both sides. */
export function openTerminal(): SecretTerminal | undefined {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined
  let hidden = false
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      if (hidden) done()
      else process.stderr.write(chunk, () => done())
    },
  })
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  const gone = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  // An interface of its own output hears Ctrl+C itself; the process must still end of it.
  lines.on('SIGINT', () => {
    lines.close()
    process.kill(process.pid, 'SIGINT')
  })
  const ask = (question: string): Promise<string> =>
    Promise.race([lines.question(showUnseenInLines(question)).catch(() => ''), gone])
  return {
    ask: async (question) => (await ask(question)).trim(),
    askHidden: async (question) => {
      process.stderr.write(showUnseenInLines(question))
      hidden = true
      try {
        return await ask('')
      } finally {
        hidden = false
        process.stderr.write('\n')
      }
    },
    close: () => lines.close(),
  }
}

/** Why a command that needs a person does nothing in a pipe. */
export const needsTerminal = {
  message: 'This needs an interactive terminal: a person reads and types.',
  next: 'Run it in a terminal. Programs decide through POST /api/v1/approvals/{id}/approve, with the admin token.',
} as const
