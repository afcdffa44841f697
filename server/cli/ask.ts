// A decision must come from a person at a keyboard: a pipe or a script that answers "yes" is exactly what an approval is
// there to prevent. So questions are only ever asked of a terminal.
import { createInterface } from 'node:readline/promises'

export interface Terminal {
  /** What the person typed; empty where they left. */
  ask(question: string): Promise<string>
  close(): void
}

/** The terminal, if there is one on both sides. */
export function openTerminal(): Terminal | undefined {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const gone = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  return {
    ask: async (question) => (await Promise.race([lines.question(question).catch(() => ''), gone])).trim(),
    close: () => lines.close(),
  }
}

/** Why a command that needs a person does nothing in a pipe. */
export const needsTerminal = {
  message: 'This needs an interactive terminal: a person reads and types.',
  next: 'Run it in a terminal. Programs decide through POST /api/v1/approvals/{id}/approve, with the admin token.',
} as const
