// An argument that is a program: what it says decides what a call of it is.
import type { Operation, Risk } from '../../model/risk.ts'
import type { Machine } from './git/machine.ts'
import { loadShellParser } from './shell/parser.ts'
import { readShell } from './shell/shell.ts'
import { loadPostgresParser } from './sql/postgres-parser.ts'
import { readSql, type SqlDialect } from './sql/sql.ts'
import type { TextRange } from './text-range.ts'

/** The language of a program; of SQL also whose, of a line of a shell `posix` where sh, bash, dash or zsh surely runs it. */
export interface ProgramLanguage {
  readonly language: 'sql' | 'shell'
  readonly dialect?: SqlDialect | 'posix' | undefined
  /** Where a line of a shell runs on this machine, and as its user. */
  readonly machine?: Machine | undefined
}

/** What a program does, at worst. */
export interface ProgramReading {
  readonly risk: Risk
  readonly operation: Operation
  /** Sentences for whoever is asked. */
  readonly reasons: readonly string[]
}

/** Reads a program. Its parser must be loaded (`loadProgramParser`). */
export const readProgram = ({ language, dialect, machine }: ProgramLanguage, text: string): ProgramReading =>
  language === 'sql'
    ? readSql(text, dialect === undefined || dialect === 'posix' ? 'unknown' : dialect)
    : readShell(text, dialect === 'posix' ? dialect : 'unknown', machine)

/**
 * What a program does beside reading, where something of it is known; nothing where it only reads or cannot be read. Where
 * its parser is missing, that is what is known: it may do the worst.
 */
export function harmIn({ language, dialect }: ProgramLanguage, text: string): ProgramReading | undefined {
  if (language === 'shell') {
    const reading = readShell(text, dialect === 'posix' ? dialect : 'unknown')
    return reading.dangers.length > 0 || reading.risk === 'critical' ? reading : undefined
  }
  const reading = readSql(text, dialect === undefined || dialect === 'posix' ? 'unknown' : dialect)
  const isKnown = reading.statements.length > 0 || reading.risk === 'critical'
  return isKnown && reading.risk !== 'low' ? reading : undefined
}

/** The stretches of a program that are dangerous, for whoever looks at it; its card says in words what they do. */
export const dangersIn = ({ language, dialect }: ProgramLanguage, text: string): readonly TextRange[] =>
  language === 'sql'
    ? readSql(text, dialect === undefined || dialect === 'posix' ? 'unknown' : dialect).statements.flatMap(
        ({ risk, danger }) => (risk === 'critical' && danger !== undefined ? [danger] : []),
      )
    : readShell(text, 'unknown').dangers.filter(({ critical }) => critical === true)

/** Loads what reading a language takes, once. Without it every program of that language is critical. */
export const loadProgramParser = async ({ language, dialect }: ProgramLanguage): Promise<void> => {
  if (language === 'shell') await loadShellParser()
  else if (dialect === undefined || dialect === 'postgresql') await loadPostgresParser()
}
