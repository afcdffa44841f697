// SQL as an argument does whatever it says, so what it says decides whether a call is a read. Only what is known to read is
// one: a text that cannot be read, a function nobody knows, a word out of place are high (ADR 42).
import type { Operation, Risk } from '../../../model/risk.ts'
import { atLeast } from '../../rating/evidence.ts'
import { countingReads, type CountingReads } from './counting.ts'
import { postgresStatements, type PostgresParse } from './postgres.ts'
import { postgresParser } from './postgres-parser.ts'
import { objectionTo, type Objection } from './reads.ts'
import { shapeOf, type Shape } from './shape.ts'
import { splitStatements, tokensOf, type SqlDialect, type Token } from './tokens.ts'

export type { SqlDialect } from './tokens.ts'

/** One statement of a text. */
interface SqlStatement extends Omit<Shape, 'risk' | 'isPlain'> {
  readonly risk: Risk
  readonly operation: Operation
  /** Texts that tell what a DELETE or an UPDATE would change. */
  readonly counting?: CountingReads
}

/** What a text does, at worst. */
export interface SqlReading {
  readonly risk: Risk
  readonly operation: Operation
  /** One sentence for each statement that is no read, the worst first, or one that says why nothing could be read. */
  readonly reasons: readonly string[]
  /** None where the text could not be read. */
  readonly statements: readonly SqlStatement[]
}

const names: Readonly<Record<SqlDialect, string>> = {
  postgresql: 'PostgreSQL',
  sqlite: 'SQLite',
  mysql: 'MySQL',
  tsql: 'SQL Server',
}
export const dialects = Object.keys(names) as readonly SqlDialect[]

/**
 * Reads a text; one of an unknown database is a read only where all of them would read. PostgreSQL needs its parser
 * (`loadPostgresParser`), and without it every text of it is critical.
 */
export function readSql(text: string, dialect: SqlDialect | 'unknown'): SqlReading {
  if (dialect !== 'unknown') return readAs(text, dialect)
  const readings = dialects.map((each) => readAs(text, each)).filter(({ risk }) => risk !== 'low')
  const worst =
    readings.find(({ risk }) => risk === 'critical') ?? readings.find(({ statements }) => statements.length > 0)
  return worst ?? readings[0] ?? readAs(text, 'sqlite')
}

function readAs(text: string, dialect: SqlDialect): SqlReading {
  if (dialect !== 'postgresql')
    return readWith(text, dialect, (split) => split.map((each) => objectionTo(each, dialect)))
  const parse = postgresParser()
  return parse === undefined
    ? missingParser
    : readWith(text, dialect, (split, tokens) => objectionsOfPostgres(parse, text, tokens, split))
}

/** What speaks against each statement being a read, or why nothing can be said of any. */
type Objections = readonly (Objection | undefined)[] | { readonly why: string }

function readWith(
  text: string,
  dialect: SqlDialect,
  objectionsTo: (split: readonly (readonly Token[])[], tokens: readonly Token[]) => Objections,
): SqlReading {
  const tokens = tokensOf(text, dialect)
  if ('why' in tokens) return unread(dialect, tokens.why)
  const split = splitStatements(tokens)
  if (split.length === 0) return unread(dialect, 'it holds no statement')
  const objections = objectionsTo(split, tokens)
  if ('why' in objections) return unread(dialect, objections.why)
  const statements = split.map((each, at) => statementOf(text, each, objections[at], dialect))
  const isCritical = ({ risk }: SqlStatement): number => Number(risk === 'critical')
  const asking = statements.filter(({ risk }) => risk !== 'low').toSorted((a, b) => isCritical(b) - isCritical(a))
  return {
    risk: statements.some(({ risk }) => risk === 'critical') ? 'critical' : asking.length > 0 ? 'high' : 'low',
    operation: statements.map(({ operation }) => operation).reduce(atLeast),
    reasons: asking.length > 0 ? asking.map(({ sentence }) => sentence) : ['It only reads.'],
    statements,
  }
}

const unread = (dialect: SqlDialect, why: string): SqlReading => ({
  risk: 'high',
  operation: 'destructive',
  reasons: [`It cannot be read as SQL of ${names[dialect]} (${why}), so it is high.`],
  statements: [],
})

/** What a parser would have found nobody knows, so it is the worst that one can find: a text may drop every table. */
const missingParser: SqlReading = {
  risk: 'critical',
  operation: 'destructive',
  reasons: [
    `It cannot be read as SQL of ${names.postgresql} (the package libpg-query, which reads that, is not loaded), so it is critical.`,
  ],
  statements: [],
}

/** Trees are walked, and made, one level at a time; a text that goes deeper than the stack would end with it. */
const mostTokens = 3000

function objectionsOfPostgres(
  parse: PostgresParse,
  text: string,
  tokens: readonly Token[],
  split: readonly unknown[],
): Objections {
  if (tokens.length > mostTokens) return split.map(() => ({ is: 'no query' }))
  try {
    const statements = postgresStatements(parse(text))
    // Where our cuts and its tree disagree, nothing is known of either.
    if (statements.length !== split.length) return split.map(() => ({ is: 'no query' }))
    return statements.map(({ objection }) => objection)
  } catch (error) {
    return { why: error instanceof Error ? error.message : 'its parser refused it' }
  }
}

function statementOf(
  text: string,
  tokens: readonly Token[],
  objection: Objection | undefined,
  dialect: SqlDialect,
): SqlStatement {
  const { risk, isPlain, ...shape } = shapeOf(text, tokens)
  if (objection === undefined) return { ...shape, risk: 'low', operation: 'read' }
  const isQuery = !('is' in objection) && shape.writes.length === 0
  const note = shape.alwaysTrue === undefined ? '' : ` Its condition is true for every row: ${shape.alwaysTrue}.`
  const counting = isPlain ? countingReads(text, tokens, shape, dialect, isRead) : undefined
  return {
    ...shape,
    sentence: isQuery ? sentenceOf(objection) : `${shape.sentence}${note}`,
    risk,
    operation: shape.destroys || isQuery ? 'destructive' : 'write',
    ...(counting === undefined ? {} : { counting }),
  }
}

const isRead = (text: string, dialect: SqlDialect): boolean => readAs(text, dialect).risk === 'low'

function sentenceOf(objection: Exclude<Objection, { readonly is: 'no query' }>): string {
  if ('calls' in objection) return `Calls ${objection.calls}, which may do more than read.`
  const { says } = objection
  if (says === 'into') return 'Writes what it finds somewhere else (INTO).'
  if (/^(?:for (?:update|share)|lock|update|updlock|xlock|tablockx)$/.test(says)) return 'Locks the rows that it reads.'
  return `Says "${says}", which a query that only reads does not.`
}
