// What every operator's command needs first: the records, and a credential that no agent has. The admin token in the
// environment or in its 0600 file is that credential. It keeps out other users and every agent that works through tools;
// an agent with a shell under the same OS user can read the file as well as its owner can, and nothing here prevents it.
import { userInfo } from 'node:os'
import type { Composed } from '../../compose/compose.ts'
import { openRecords } from '../../compose/records.ts'
import { escapeUnseen, showUnseen, showUnseenInLines } from '../../cards/unseen.ts'
import { composeOptionsOf } from '../../compose/config.ts'
import { openAdminToken } from '../../http/auth/admin-token.ts'
import { settingsOf, type ConfigOptions } from '../config-options.ts'
import { say } from '../terminal/say.ts'

export type Records = Composed['store']

export type OperatorOptions = Pick<ConfigOptions, 'config' | 'db'>

/** Opens the records for an operator, does the work, and closes them. Answers the exit code. */
export async function asOperator(
  options: OperatorOptions,
  work: (records: Records) => Promise<number>,
): Promise<number> {
  const settings = settingsOf(options)
  if (!settings.ok) return trouble(settings.failure)
  const { server } = settings.value
  const opened = await openRecords(composeOptionsOf(server))
  if (!opened.ok) return trouble(opened.failure)
  const records = opened.value
  try {
    const token = await openAdminToken(records.file, server.operators.admin_token)
    return token.ok ? await work(records) : trouble(token.failure)
  } finally {
    await records.close()
  }
}

/** One line that says what happened and what to do; the exit code of trouble. */
export function trouble(failure: { readonly message: string; readonly next: string }): number {
  say.error(failure.message, failure.next)
  return 1
}

/** The name under which a decision is recorded. */
export const operatorName = (by: string | undefined): string => by ?? userInfo().username

/**
 * Prints what a command was asked for. What agents wrote stands in it, and a control sequence could repaint what an
 * approver has just read.
 */
export const print = (text: string): void => void process.stdout.write(`${showUnseenInLines(text)}\n`)

export const printJson = (value: unknown): void =>
  void process.stdout.write(`${escapeUnseen(JSON.stringify(value, null, 2))}\n`)

/** Rows as columns that are as wide as they must be. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)))
  return rows
    .map((row) =>
      row
        .map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** One cell: data on one line. */
export const cell = (text: string, width = 100): string => {
  const line = showUnseen(text.replaceAll('\n', ' '))
  return line.length > width ? `${line.slice(0, width - 1)}…` : line
}

export const minute = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ')
