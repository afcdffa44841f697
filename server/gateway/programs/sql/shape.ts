// What a statement is about, for whoever has to judge it: its kind, its tables, its condition, and one sentence in plain
// words. Nothing here decides whether a statement is a read.
import type { Risk } from '../../../model/risk.ts'
import { alwaysTruePart } from './condition.ts'
import { listed, sentenceOf, type About } from './sentences.ts'
import { behindTop, nameAt, readIn, writtenIn } from './tables.ts'
import { isMark, rangeOf, sliceOf, wordAt, type Token } from './tokens.ts'
import type { TextRange } from '../text-range.ts'

export interface Shape {
  /** Its verb in lower case: `delete`, `copy`, `explain analyze`; of a WITH, that of what follows. */
  readonly kind: string
  readonly reads: readonly string[]
  readonly writes: readonly string[]
  /** What stands behind WHERE, as written. */
  readonly where?: string
  /** The part of the condition that is true for every row, as written. */
  readonly alwaysTrue?: string
  /** What of it is critical: the part of a condition that is always true, or all of a statement that knows no bounds. */
  readonly danger?: TextRange
  /** One sentence in plain words. */
  readonly sentence: string
  /** What a statement that is no read comes to. */
  readonly risk: Extract<Risk, 'high' | 'critical'>
  /** Whether it changes or removes what is there; else it only adds. */
  readonly destroys: boolean
  /** Of an UPDATE, its assignments as written. */
  readonly sets: readonly Assignment[]
  /** Whether it is one DELETE or UPDATE of one table, without joins, limits and common table expressions. */
  readonly isPlain: boolean
}

/** `column = value`, as written. */
export interface Assignment {
  readonly column: string
  readonly value: string
}

/** Reads the shape of one statement of this text. */
export function shapeOf(text: string, statement: readonly Token[]): Shape {
  const main = mainOf(statement)
  const tokens = statement.slice(main)
  const verb = wordAt(tokens, 0)
  const kind =
    verb === 'explain' && statement.some((_, at) => wordAt(statement, at) === 'analyze') ? 'explain analyze' : verb
  const known = new Set(commonTables(statement.slice(0, main)))
  const writes = unique(writtenIn(statement)).filter((name) => !known.has(name))
  const reads = unique(readIn(statement)).filter((name) => !known.has(name) && !writes.includes(name))
  const about = { text, tokens, verb, writes, isAlone: main === 0 }
  const where = ['delete', 'update'].includes(verb) ? whereIn(tokens) : undefined
  const always = where === undefined ? undefined : alwaysTruePart(where)
  const base = { kind, reads, writes, sets: [], isPlain: false }
  const isDml = verb === 'delete' || verb === 'update'
  if (isDml && writes.length > 0) return { ...base, ...ofRows(about, where, always) }
  const { sentence, risk = 'high', destroys = true } = sentenceOf(about)
  return { ...base, sentence, risk, destroys, ...(risk === 'critical' ? { danger: rangeOf(tokens) } : {}) }
}

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)]

const verbs = /^(?:select|insert|update|delete|merge|values|replace|table)$/

/** Where the verb of a statement stands: behind brackets, behind the common tables of a WITH. */
function mainOf(statement: readonly Token[]): number {
  const open = statement.findIndex((token) => !isMark(token, '('))
  if (wordAt(statement, open) !== 'with') return Math.max(open, 0)
  let depth = 0
  for (let at = open; at < statement.length; at++) {
    const token = statement[at]
    depth += isMark(token, '(') ? 1 : isMark(token, ')') ? -1 : 0
    if (depth === 0 && at > open && verbs.test(wordAt(statement, at)) && isMark(statement[at - 1], ')')) return at
  }
  return Math.max(open, 0)
}

function commonTables(head: readonly Token[]): readonly string[] {
  return head.flatMap((token, at) => {
    const names = wordAt(head, at + 1) === 'as' || isMark(head[at + 1], '(')
    const begins = ['with', 'recursive'].includes(wordAt(head, at - 1)) || isMark(head[at - 1], ',')
    return names && begins && (token.kind === 'word' || token.kind === 'name') ? [token.value] : []
  })
}

/** From the word on that stands outside of every bracket, up to what ends a condition. */
function partAfter(tokens: readonly Token[], word: string, ends: RegExp): readonly Token[] | undefined {
  let depth = 0
  let from = -1
  for (const [at, token] of tokens.entries()) {
    depth += isMark(token, '(') ? 1 : isMark(token, ')') ? -1 : 0
    if (depth !== 0) continue
    if (from >= 0 && ends.test(wordAt(tokens, at))) return tokens.slice(from, at)
    if (from < 0 && wordAt(tokens, at) === word) from = at + 1
  }
  return from < 0 ? undefined : tokens.slice(from)
}

const whereIn = (tokens: readonly Token[]): readonly Token[] | undefined =>
  partAfter(tokens, 'where', /^(?:returning|limit|order|option)$/)

/** A DELETE or an UPDATE: which rows of which table. */
function ofRows(
  { text, tokens, verb, writes, isAlone }: About,
  where: readonly Token[] | undefined,
  always: readonly Token[] | undefined,
): Pick<Shape, 'sentence' | 'risk' | 'destroys' | 'sets' | 'isPlain'> &
  Partial<Pick<Shape, 'where' | 'alwaysTrue' | 'danger'>> {
  const sets = verb === 'update' ? assignmentsIn(text, tokens) : []
  const top = tokens.slice(2, behindTop(tokens, 1))
  const limit = partAfter(tokens, 'limit', /^returning$/) ?? (top.length > 0 ? top : undefined)
  const table = writes.join(' and ')
  const what =
    verb === 'delete'
      ? 'Deletes'
      : `Changes ${sets.length > 0 ? listed(sets.map(({ column }) => column)) : 'columns'} in`
  const condition = where === undefined ? '' : ` where ${sliceOf(text, where)}`
  const most = limit === undefined ? '' : `, at most ${sliceOf(text, limit)} of them`
  const all = where === undefined && limit === undefined
  const critical = all ? tokens : always
  return {
    sentence: all ? `${what} every row of ${table}.` : `${what} the rows of ${table}${condition}${most}.`,
    ...(where === undefined ? {} : { where: sliceOf(text, where) }),
    ...(always === undefined ? {} : { alwaysTrue: sliceOf(text, always) }),
    ...(critical === undefined ? {} : { danger: rangeOf(critical) }),
    risk: critical === undefined ? 'high' : 'critical',
    destroys: true,
    sets,
    isPlain: isAlone && isPlain(tokens, verb),
  }
}

/** `DELETE FROM t WHERE …` or `UPDATE t SET … WHERE …` and nothing else outside of brackets. */
function isPlain(tokens: readonly Token[], verb: string): boolean {
  const at = verb === 'delete' ? 2 : 1
  if (verb === 'delete' && wordAt(tokens, 1) !== 'from') return false
  const named = nameAt(tokens, at)
  if (named === undefined) return false
  const next = wordAt(tokens, named.end)
  if (verb === 'delete') return (next === 'where' || named.end === tokens.length) && !hasOutside(tokens)
  return next === 'set' && !hasOutside(tokens)
}

function hasOutside(tokens: readonly Token[]): boolean {
  let depth = 0
  return tokens.slice(1).some((token, at) => {
    depth += isMark(token, '(') ? 1 : isMark(token, ')') ? -1 : 0
    const word = wordAt(tokens, at + 1)
    return depth === 0 && at > 0 && /^(?:from|join|using|limit|order|returning|output|option)$/.test(word)
  })
}

function assignmentsIn(text: string, tokens: readonly Token[]): readonly Assignment[] {
  const part = partAfter(tokens, 'set', /^(?:where|from|returning|limit|order|option|output)$/) ?? []
  const each: Token[][] = [[]]
  let depth = 0
  for (const token of part) {
    depth += isMark(token, '(') ? 1 : isMark(token, ')') ? -1 : 0
    if (depth === 0 && isMark(token, ',')) each.push([])
    else each.at(-1)?.push(token)
  }
  return each.flatMap((assignment) => {
    const named = nameAt(assignment, 0)
    if (named === undefined || !isMark(assignment[named.end], '=')) return []
    return [{ column: named.name, value: sliceOf(text, assignment.slice(named.end + 1)) }]
  })
}
