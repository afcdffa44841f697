// Which tables a statement names, and on which side. For people: what is read from them is not what a rating rests on.
import { isMark, wordAt, type Token } from './tokens.ts'

interface Named {
  readonly name: string
  readonly end: number
}

/** A table's name, qualified or not, at a place; nothing where something else stands there. */
export function nameAt(tokens: readonly Token[], at: number): Named | undefined {
  let end = at
  const parts: string[] = []
  for (;;) {
    const token = tokens[end]
    if (token?.kind !== 'word' && token?.kind !== 'name') break
    parts.push(token.value)
    end++
    if (!isMark(tokens[end], '.')) break
    end++
  }
  return parts.length === 0 ? undefined : { name: parts.join('.'), end }
}

/** Behind the words of this kind that stand here, of which no statement has more than a few. */
function skip(tokens: readonly Token[], at: number, words: RegExp): number {
  let here = at
  while (here < at + 8 && words.test(wordAt(tokens, here))) here++
  return here
}

const modifiers =
  /^(?:only|low_priority|quick|ignore|delayed|high_priority|lateral|or|rollback|abort|fail|replace|table|view|index|if|not|exists|concurrently|temporary|temp|unlogged|materialized|foreign|schema|database|sequence|function|trigger|type|domain|external|virtual|unique|column)$/

/** The tables that a statement writes, and what it makes, alters or drops. */
export function writtenIn(statement: readonly Token[]): readonly string[] {
  return statement.flatMap((_, at) => {
    const word = wordAt(statement, at)
    if (!writing.test(word)) return []
    const next = skip(statement, behindTop(statement, at + 1), modifiers)
    const begins = at === 0 || isMark(statement[at - 1], '(') || isMark(statement[at - 1], ')')
    // A file or a variable is no table.
    if (word === 'into')
      return /^(?:outfile|dumpfile)$/.test(wordAt(statement, next)) ? [] : namesAt(statement, next, false)
    if (word === 'update') return begins ? namesAt(statement, next, true) : []
    if (word === 'delete') {
      const from = wordAt(statement, next) === 'from' ? skip(statement, next + 1, modifiers) : next
      return begins ? namesAt(statement, from, false) : []
    }
    return at === 0 ? namesAt(statement, next, word === 'truncate' || word === 'drop') : []
  })
}

/** Behind the `TOP (5)` of T-SQL. */
export function behindTop(tokens: readonly Token[], at: number): number {
  if (wordAt(tokens, at) !== 'top' || !isMark(tokens[at + 1], '(')) return at
  const close = tokens.findIndex((token, here) => here > at && isMark(token, ')'))
  return close < 0 ? at : close + 1
}

const writing = /^(?:into|update|delete|truncate|drop|alter|create|copy)$/

/** The name that stands here, or all of a list of names. */
function namesAt(tokens: readonly Token[], at: number, several: boolean): readonly string[] {
  const names: string[] = []
  for (let here = at; ;) {
    const found = nameAt(tokens, here)
    if (found === undefined) return names
    names.push(found.name)
    if (!several || !isMark(tokens[found.end], ',')) return names
    here = found.end + 1
  }
}

/** The tables that a statement reads. */
export function readIn(statement: readonly Token[]): readonly string[] {
  return statement.flatMap((_, at) => {
    const word = wordAt(statement, at)
    if (word !== 'from' && word !== 'join' && word !== 'using') return []
    // `EXTRACT(year FROM day)` names no table.
    if (word === 'from' && isInCall(statement, at)) return []
    return tablesAt(statement, skip(statement, at + 1, /^(?:only|lateral)$/))
  })
}

/** The tables of a FROM up to its first join, each with or without an alias. */
function tablesAt(tokens: readonly Token[], at: number): readonly string[] {
  const names: string[] = []
  for (let here = at; ;) {
    const found = nameAt(tokens, here)
    if (found === undefined || isMark(tokens[found.end], '(')) return names
    names.push(found.name)
    here = wordAt(tokens, found.end) === 'as' ? found.end + 1 : found.end
    if (!clause.test(wordAt(tokens, here)) && nameAt(tokens, here) !== undefined) here++
    if (!isMark(tokens[here], ',')) return names
    here++
  }
}

const clause =
  /^(?:where|join|inner|left|right|full|cross|natural|on|using|group|order|having|limit|offset|union|except|intersect|window|for|set|returning|option|with|fetch|tablesample|indexed|use|force|partition|not|output|apply|outer)$/

/** Whether a FROM belongs to a function's arguments, as in `SUBSTRING(name FROM 2)`. */
function isInCall(tokens: readonly Token[], at: number): boolean {
  let depth = 0
  for (let here = at - 1; here >= Math.max(0, at - 200); here--) {
    const token = tokens[here]
    depth += isMark(token, ')') ? 1 : isMark(token, '(') ? -1 : 0
    if (depth < 0) return true
    if (depth === 0 && ['select', 'delete'].includes(wordAt(tokens, here))) return false
  }
  return false
}
