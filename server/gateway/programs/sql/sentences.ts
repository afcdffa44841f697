// One sentence in plain words for each kind of statement, for whoever has to judge it.
import { sliceOf, wordAt, type Token } from './tokens.ts'

/** A statement without the common tables before it. */
export interface About {
  readonly text: string
  readonly tokens: readonly Token[]
  readonly verb: string
  readonly writes: readonly string[]
  readonly isAlone: boolean
}

/** "a, b and c". */
export const listed = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

export interface Said {
  readonly sentence: string
  readonly risk?: 'critical'
  readonly destroys?: false
}

/** Of a statement that is neither DELETE nor UPDATE. */
export function sentenceOf({ text, tokens, verb, writes }: About): Said {
  const whole = shortened(sliceOf(text, tokens))
  const table = listed(writes)
  const object = `${wordsOfObject(tokens)}${table}`
  const has = (word: string): boolean => tokens.some((_, at) => wordAt(tokens, at) === word)
  switch (verb) {
    case 'select':
    case 'with':
    case 'values':
    case 'table':
      return writes.length > 0
        ? { sentence: `Writes ${table} in the course of a query.` }
        : { sentence: `Runs a query: ${whole}.` }
    case 'insert': {
      const replaces = has('replace') || (has('conflict') && has('update')) || has('duplicate')
      return replaces
        ? { sentence: `Adds rows to ${table}, in place of rows that are there.` }
        : { sentence: `Adds rows to ${table}.`, destroys: false }
    }
    case 'replace':
      return { sentence: `Adds rows to ${table}, in place of rows that are there.` }
    case 'merge':
      return { sentence: `Adds, changes or deletes rows of ${table}.` }
    case 'truncate':
      return { sentence: `Deletes every row of ${table}.`, risk: 'critical' }
    case 'drop':
      return { sentence: `Drops ${object === '' ? whole : `the ${object}`}.`, risk: 'critical' }
    case 'alter':
      return { sentence: `Alters ${object === '' ? whole : `the ${object}`}: ${whole}.` }
    case 'create':
      return has('replace')
        ? { sentence: `Creates or replaces the ${object}.` }
        : { sentence: `Creates the ${object}.`, destroys: false }
    case 'grant':
    case 'revoke':
    case 'deny':
      return { sentence: `Changes who may do what: ${whole}.`, risk: 'critical' }
    case 'copy':
      if (has('program')) return { sentence: `Runs a program on the database's machine: ${whole}.`, risk: 'critical' }
      return { sentence: `Copies between a table and a file: ${whole}.` }
    case 'do':
      return { sentence: 'Runs a block of code in the database.' }
    case 'call':
    case 'exec':
    case 'execute':
      return { sentence: `Runs what is stored in the database: ${whole}.` }
    case 'begin':
    case 'start':
    case 'commit':
    case 'end':
    case 'rollback':
    case 'abort':
    case 'savepoint':
    case 'release':
      return { sentence: `Begins or ends a transaction: ${whole}.` }
    default:
      return { sentence: `Runs ${whole}.` }
  }
}

const kinds =
  /^(?:table|view|materialized|index|schema|database|sequence|function|procedure|trigger|type|role|user|extension)$/

/** "materialized view ", of `DROP MATERIALIZED VIEW IF EXISTS totals`. */
function wordsOfObject(tokens: readonly Token[]): string {
  const at = tokens.slice(0, 6).findIndex((_, here) => here > 0 && kinds.test(wordAt(tokens, here)))
  if (at < 0) return ''
  return wordAt(tokens, at) === 'materialized' ? 'materialized view ' : `${wordAt(tokens, at)} `
}

const shortened = (written: string): string => (written.length > 200 ? `${written.slice(0, 200)}…` : written)
